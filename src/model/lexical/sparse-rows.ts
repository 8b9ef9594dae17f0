/** Vectors that are zero nearly everywhere, as the weights that are not. */
import { matrix, type Matrix, row } from '#core'

export interface SparseRow {
  /** Columns, ascending. */
  readonly columns: Int32Array
  readonly weights: Float32Array
}

export interface SparseRows {
  readonly width: number
  readonly rows: readonly SparseRow[]
}

/** The numbers of a vector that are not 0; NaN is one of them. */
export function sparseRow(values: Float32Array): SparseRow {
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++
  const [columns, weights] = [new Int32Array(count), new Float32Array(count)]
  let at = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (value === 0) continue
    columns[at] = i
    weights[at++] = value
  }
  return { columns, weights }
}

export function toSparse(dense: Matrix): SparseRows {
  return { width: dense.width, rows: Array.from({ length: dense.rows }, (_, r) => sparseRow(row(dense, r))) }
}

/** [rows × width], zeros included. */
export function toDense({ width, rows }: SparseRows): Matrix {
  const dense = matrix(rows.length, width)
  rows.forEach(({ columns, weights }, r) => {
    const target = row(dense, r)
    columns.forEach((column, i) => (target[column] = weights[i] ?? 0))
  })
  return dense
}

/** The row with length 1; one without weights stays as it is (torch `normalize`: x / max(‖x‖, 1e-12)). */
export function unitRow({ columns, weights }: SparseRow): SparseRow {
  let squares = 0
  for (const weight of weights) squares += weight * weight
  const length = Math.max(Math.sqrt(squares), 1e-12)
  return { columns, weights: weights.map((weight) => weight / length) }
}
