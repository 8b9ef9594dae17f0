/** Dense matrices. Vectors have one row per text and one column per feature. */
import { fault } from './fault.ts'

export type Floats = Float32Array | Float64Array

export interface Matrix<Data extends Floats = Float32Array> {
  readonly rows: number
  readonly width: number
  /** Row-major, [rows × width]. */
  readonly data: Data
}

export type Matrix64 = Matrix<Float64Array>

/** A matrix over existing data, or of zeros. */
export function matrix(rows: number, width: number, data: Float32Array = new Float32Array(rows * width)): Matrix {
  if (data.length !== rows * width)
    throw fault('internal', { place: 'matrix', what: 'length does not fit', seen: data.length, wanted: rows * width })
  return { rows, width, data }
}

/** View of one row, no copy. */
export function row({ data, width }: Matrix, index: number): Float32Array {
  return data.subarray(index * width, (index + 1) * width)
}

/** The rows at `indexes`, in that order, copied. */
export function takeRows(source: Matrix, indexes: ArrayLike<number>): Matrix {
  const out = new Float32Array(indexes.length * source.width)
  for (let i = 0; i < indexes.length; i++) out.set(row(source, indexes[i] ?? 0), i * source.width)
  return { rows: indexes.length, width: source.width, data: out }
}
