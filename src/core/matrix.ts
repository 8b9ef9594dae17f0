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

/**
 * A matrix over data that is there, [rows × width] row-major, or of zeros. The data is not copied.
 *
 * @example
 * ```ts
 * import { matrix } from 'strata-lm/linalg'
 *
 * const m = matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6))
 * console.log(m.rows, m.width, m.data[1 * m.width + 2]) // → 2 3 6
 * ```
 */
export function matrix(rows: number, width: number, data: Float32Array = new Float32Array(rows * width)): Matrix {
  if (data.length !== rows * width)
    throw fault('internal', { place: 'matrix', what: 'length does not fit', seen: data.length, wanted: rows * width })
  return { rows, width, data }
}

/**
 * A view of one row, [width]: writing to it changes the matrix.
 *
 * @example
 * ```ts
 * import { matrix, row } from 'strata-lm/linalg'
 *
 * const m = matrix(2, 2, Float32Array.of(1, 2, 3, 4))
 * console.log([...row(m, 1)]) // → [ 3, 4 ]
 * ```
 */
export function row({ data, width }: Matrix, index: number): Float32Array {
  return data.subarray(index * width, (index + 1) * width)
}

/**
 * A copy of the rows at `indexes`, in that order and with repeats, [indexes × width].
 *
 * @example
 * ```ts
 * import { matrix, takeRows } from 'strata-lm/linalg'
 *
 * const m = matrix(3, 1, Float32Array.of(10, 20, 30))
 * console.log([...takeRows(m, [2, 0, 2]).data]) // → [ 30, 10, 30 ]
 * ```
 */
export function takeRows(source: Matrix, indexes: ArrayLike<number>): Matrix {
  const out = new Float32Array(indexes.length * source.width)
  for (let i = 0; i < indexes.length; i++) out.set(row(source, indexes[i] ?? 0), i * source.width)
  return { rows: indexes.length, width: source.width, data: out }
}
