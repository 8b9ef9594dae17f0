/** LayerNorm (Ba et al. 2016) over the rows of a matrix, and its gradient. */
import type { Matrix64 } from '#core'
import type { Parameter } from './parameters.ts'

export interface Norm {
  readonly weight: Parameter
  readonly bias: Parameter
}

export interface NormPass {
  readonly output: Matrix64
  /** (x − mean) / deviation, [rows × width]. */
  readonly normed: Matrix64
  /** 1 / deviation of each row. */
  readonly inverse: Float64Array
}

export function layerNorm({ rows, width, data }: Matrix64, { weight, bias }: Norm, epsilon: number): NormPass {
  const [normed, output] = [new Float64Array(data.length), new Float64Array(data.length)]
  const inverse = new Float64Array(rows)
  for (let r = 0; r < rows; r++) {
    const at = r * width
    let [mean, variance] = [0, 0]
    for (let k = 0; k < width; k++) mean += data[at + k]!
    mean /= width
    for (let k = 0; k < width; k++) variance += (data[at + k]! - mean) ** 2
    const scale = 1 / Math.sqrt(variance / width + epsilon)
    inverse[r] = scale
    for (let k = 0; k < width; k++) {
      const value = (data[at + k]! - mean) * scale
      normed[at + k] = value
      output[at + k] = value * weight.data[k]! + bias.data[k]!
    }
  }
  return { output: { rows, width, data: output }, normed: { rows, width, data: normed }, inverse }
}

/** Gradient with respect to the input, from that of the output: [rows × width]. */
export function layerNormBackward(gradient: Matrix64, { weight }: Norm, { normed, inverse }: NormPass): Matrix64 {
  const { rows, width, data } = gradient
  const out = new Float64Array(data.length)
  for (let r = 0; r < rows; r++) {
    const at = r * width
    let [sum, along] = [0, 0]
    for (let k = 0; k < width; k++) {
      const value = data[at + k]! * weight.data[k]!
      sum += value
      along += value * normed.data[at + k]!
    }
    const [mean, slope, scale] = [sum / width, along / width, inverse[r]!]
    for (let k = 0; k < width; k++)
      out[at + k] = scale * (data[at + k]! * weight.data[k]! - mean - normed.data[at + k]! * slope)
  }
  return { rows, width, data: out }
}
