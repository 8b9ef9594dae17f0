/** Weights as bytes: one scale for each output channel, its greatest magnitude over 127. */

/** The numbers are the same; `uint8` is shifted by 128. */
export type IntegerWeights = 'int8' | 'uint8'

export interface StoredWeight {
  readonly out: number
  readonly in: number
  readonly layout: 'out-in' | 'in-out'
}

export interface QuantizedWeight {
  /** [in × out], as the engine multiplies. */
  readonly bytes: Uint8Array
  /** [out]; NaN for a channel that holds one. */
  readonly scales: Float32Array
}

export const integerSteps = 127
export const integerShift = 128
/** Scale of an all-zero row: any number but 0. */
export const leastScale = 1e-30

/** Rounds half to even, as the engine does. */
export function quantizeWeight(values: Float32Array, weight: StoredWeight, form: IntegerWeights): QuantizedWeight {
  const { out, in: inner, layout } = weight
  const [byOut, byIn] = layout === 'out-in' ? [inner, 1] : [1, out]
  const shift = form === 'uint8' ? integerShift : 0
  const scales = Float32Array.from({ length: out }, (_, j) => channelScale(values, j * byOut, byIn, inner))
  const bytes = new Uint8Array(inner * out)
  for (let first = 0; first < out; first += tile) {
    const last = Math.min(out, first + tile)
    for (let k = 0; k < inner; k++)
      for (let j = first; j < last; j++)
        bytes[k * out + j] = evenRound(Math.fround(values[j * byOut + k * byIn]! / scales[j]!)) + shift
  }
  return { bytes, scales }
}

/** Channels at a time: their places in one row of bytes lie in one line of the cache. */
const tile = 64

function channelScale(values: Float32Array, start: number, step: number, count: number): number {
  let greatest = 0
  for (let k = 0, at = start; k < count; k++, at += step) {
    const size = Math.abs(values[at]!)
    if (!(size <= greatest)) greatest = size
    if (Number.isNaN(greatest)) return NaN
  }
  return Math.max(Math.fround(greatest / integerSteps), leastScale)
}

/** To the nearest, |x| < 2⁵¹: adding 1.5 · 2⁵² leaves no room for a fraction. */
function evenRound(x: number): number {
  return x + 6755399441055744 - 6755399441055744
}
