/** Principal components of a table's rows, never whitened. */
import type { Matrix, Matrix64 } from '#core'
import { covarianceOf, symmetricEigen, timesTransposed } from '#platform/linalg'

/** Components; `auto`: all of them; below 1: as many as explain this share of the variance; `none`: rows as they are. */
export type TableDims = number | 'auto' | 'none'

export interface ReducedTable {
  /** [rows × dims] */
  readonly table: Matrix
  /** Share of the variance in the components, 0 … 1; undefined without them. */
  readonly explained: number | undefined
  /** Axes that rows were projected on, [dims × width], in the directions of the table; undefined without components. */
  readonly axes: Matrix64 | undefined
}

/** Rows that are projected at once. */
const blockRows = 4096

/**
 * Rows of zero mean on the axes of largest variance; on each axis the entry of largest magnitude is positive. More
 * components than columns are all of them, and a table with no more rows than components stays as it is (model2vec's
 * `apply_pca`). Covariance and axes are float64. The rows' memory is used for the result: `table` must not be read again.
 *
 * @example
 * ```ts
 * import { reduceTable } from 'strata-lm/distill'
 *
 * const rows = { rows: 3, width: 2, data: Float32Array.of(0, 1, 2, 1, 7, 1) }
 * const { table, explained } = await reduceTable(rows, 1)
 * console.log([...table.data], explained) // → [ -3, -1, 4 ] 1
 * ```
 */
export async function reduceTable(table: Matrix, dims: TableDims): Promise<ReducedTable> {
  const { rows, width } = table
  const wanted = dims === 'auto' ? width : Math.min(dims === 'none' ? width : dims, width)
  if (dims === 'none' || wanted >= rows) return { table, explained: undefined, axes: undefined }
  const sums = covarianceOf(width)
  await sums.add(table)
  const { mean, covariance } = sums.finish()
  const { values, vectors } = await symmetricEigen(covariance)
  const variances = values.map((value) => Math.max(0, value))
  const total = variances.reduce((sum, value) => sum + value, 0)
  const count = wanted < 1 ? componentsFor(variances, wanted * total) : wanted
  const axes = { rows: count, width, data: vectors.data.subarray(0, count * width) }
  const reduced = await project(table, mean, axes)
  pointUp(reduced, axes)
  const kept = variances.subarray(0, count).reduce((sum, value) => sum + value, 0)
  return { table: reduced, explained: total === 0 ? undefined : kept / total, axes }
}

/** Fewest components whose variances exceed `enough`, one more where they meet it (NumPy's searchsorted, plus one). */
function componentsFor(variances: Float64Array, enough: number): number {
  let [sum, count] = [0, 0]
  for (const value of variances) {
    sum += value
    count++
    if (sum >= enough) break
  }
  return count
}

/**
 * Rows without `mean`, on the axes of a table; without axes in the columns that they have. Their memory is used for the
 * result.
 */
export async function onAxes(rows: Matrix, mean: Float64Array, axes: Matrix64 | undefined): Promise<Matrix> {
  if (axes !== undefined) return project(rows, mean, axes)
  for (let i = 0; i < rows.data.length; i++) rows.data[i] = (rows.data[i] ?? 0) - (mean[i % rows.width] ?? 0)
  return rows
}

/** Block by block over the same memory: a row of the result is never longer than the row it comes from. */
async function project({ rows, width, data }: Matrix, mean: Float64Array, axes: Matrix<Float64Array>): Promise<Matrix> {
  for (let from = 0; from < rows; from += blockRows) {
    const count = Math.min(blockRows, rows - from)
    const centred = new Float64Array(count * width)
    for (let i = 0; i < count; i++)
      for (let k = 0; k < width; k++) centred[i * width + k] = (data[(from + i) * width + k] ?? 0) - (mean[k] ?? 0)
    const block = await timesTransposed({ rows: count, width, data: centred }, axes)
    data.set(block, from * axes.rows)
  }
  return { rows, width: axes.rows, data: data.subarray(0, rows * axes.rows) }
}

/** Turns the columns of the table, and the axes with them, so that the entry of largest magnitude is positive. */
function pointUp({ rows, width, data }: Matrix, axes: Matrix64): void {
  for (let k = 0; k < width; k++) {
    let top = 0
    for (let i = 0; i < rows; i++) {
      const value = data[i * width + k] ?? 0
      if (Math.abs(value) > Math.abs(top)) top = value
    }
    if (top >= 0) continue
    for (let i = 0; i < rows; i++) data[i * width + k] = -(data[i * width + k] ?? 0)
    for (let j = k * axes.width; j < (k + 1) * axes.width; j++) axes.data[j] = -(axes.data[j] ?? 0)
  }
}
