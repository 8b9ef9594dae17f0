/** RMSNorm (Zhang & Sennrich 2019) over the rows of a matrix, and its gradient. */
import type { Matrix64 } from '#core'
import type { Parameter } from './parameters.ts'

export interface RmsNormPass {
  readonly output: Matrix64
  /** x / root mean square, [rows × width]. */
  readonly normed: Matrix64
  /** 1 / root mean square of each row. */
  readonly inverse: Float64Array
}

export function rmsNorm({ rows, width, data }: Matrix64, weight: Parameter, epsilon: number): RmsNormPass {
  const [normed, output] = [new Float64Array(data.length), new Float64Array(data.length)]
  const inverse = new Float64Array(rows)
  for (let r = 0; r < rows; r++) {
    const at = r * width
    let square = 0
    for (let k = 0; k < width; k++) square += data[at + k]! ** 2
    const scale = 1 / Math.sqrt(square / width + epsilon)
    inverse[r] = scale
    for (let k = 0; k < width; k++) {
      const value = data[at + k]! * scale
      normed[at + k] = value
      output[at + k] = value * weight.data[k]!
    }
  }
  return { output: { rows, width, data: output }, normed: { rows, width, data: normed }, inverse }
}

/** Gradient with respect to the input, from that of the output: [rows × width]. */
export function rmsNormBackward(gradient: Matrix64, weight: Parameter, { normed, inverse }: RmsNormPass): Matrix64 {
  const { rows, width, data } = gradient
  const out = new Float64Array(data.length)
  for (let r = 0; r < rows; r++) {
    const at = r * width
    let along = 0
    for (let k = 0; k < width; k++) along += data[at + k]! * weight.data[k]! * normed.data[at + k]!
    const [slope, scale] = [along / width, inverse[r]!]
    for (let k = 0; k < width; k++)
      out[at + k] = scale * (data[at + k]! * weight.data[k]! - normed.data[at + k]! * slope)
  }
  return { rows, width, data: out }
}
