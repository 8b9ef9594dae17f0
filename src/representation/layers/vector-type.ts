/**
 * Types of the numbers of a vector: the values that are scored, and the bytes that are written. Integers and bits are
 * those of sentence-transformers' `quantize_embeddings` (5.7 to 6.2; before, int8 was cut toward zero).
 */
import { fault, type Matrix, matrix } from '#core'
import { extendRanges, toFloat16, toSigns, toSteps } from '#platform/linalg'

/** float32: as the model gives them; float16: rounded to the nearest; the others: codes. */
export const vectorTypes = ['float32', 'float16', 'int8', 'uint8', 'binary', 'ubinary'] as const
export type VectorType = (typeof vectorTypes)[number]

/** Smallest and largest value of each dimension among the vectors of a calibration set, [width] each. */
export interface Ranges {
  readonly starts: Float32Array
  readonly ends: Float32Array
}

/** Whether the codes of a vector depend on ranges, and so on a calibration set. */
export function isRanged(type: VectorType): type is 'int8' | 'uint8' {
  return type === 'int8' || type === 'uint8'
}

/** Whether a byte holds eight numbers. */
export function isPacked(type: VectorType): type is 'binary' | 'ubinary' {
  return type === 'binary' || type === 'ubinary'
}

/** The ranges of no vectors. */
export function noRanges(width: number): Ranges {
  return { starts: new Float32Array(width).fill(Infinity), ends: new Float32Array(width).fill(-Infinity) }
}

/** Extends `ranges` to vectors [n × width]; the order of vectors and their repetition change nothing. */
export function extend(ranges: Ranges, vectors: Matrix): void {
  extendRanges(ranges, vectors)
}

/**
 * The numbers that are scored in place of `vectors` [n × width]: the nearest of float16; −128 … 127 and 0 … 255 in 255
 * steps of a dimension's range, rounded down; 1 for a value above 0, and 0. A dimension without a range has steps of
 * 1, a value outside its range the nearest end, and a value that is not finite NaN, which no task scores.
 * @param ranges of int8 and uint8, which throw `internal` without
 */
export function typed(vectors: Matrix, type: VectorType, ranges?: Ranges): Matrix {
  const { rows, width, data } = vectors
  switch (type) {
    case 'float32':
      return vectors
    case 'float16':
      return matrix(rows, width, toFloat16(data))
    case 'int8':
    case 'uint8':
      if (ranges === undefined) throw fault('internal', { place: type, what: 'no ranges' })
      return matrix(rows, width, stepsOf(vectors, ranges, type === 'int8' ? 128 : 0))
    case 'binary':
    case 'ubinary':
      return matrix(rows, width, toSigns(data))
    default:
      return type satisfies never
  }
}

/** Every operation rounds to float32, as NumPy's does. */
function stepsOf(vectors: Matrix, { starts, ends }: Ranges, below: number): Float32Array {
  const steps = starts.map((start, at) => {
    const step = Math.fround(Math.fround(ends[at]! - start) / 255)
    if (step === 0) return 1
    return Number.isFinite(step) ? step : NaN
  })
  return toSteps(vectors, { starts, steps, below })
}

/**
 * Typed numbers [n × width] as the bytes of a row: one a number for int8 and uint8; eight numbers a byte for binary and
 * ubinary, the first one highest, the last byte filled with zeros (`numpy.packbits`), 128 less for binary.
 */
export function toCodes(
  { rows, width, data }: Matrix,
  type: Exclude<VectorType, 'float32' | 'float16'>,
): Int8Array | Uint8Array {
  if (type === 'int8') return Int8Array.from(data)
  if (type === 'uint8') return Uint8Array.from(data)
  const bytes = packedWidth(width)
  const packed = new Uint8Array(rows * bytes)
  for (let i = 0, row = 0; row < rows; row++)
    for (let at = 0; at < width; at++, i++) packed[row * bytes + (at >> 3)]! |= data[i]! << (7 - (at & 7))
  return type === 'ubinary' ? packed : Int8Array.from(packed, (byte) => byte - 128)
}

/** Bytes of a row of `width` bits. */
export function packedWidth(width: number): number {
  return Math.ceil(width / 8)
}
