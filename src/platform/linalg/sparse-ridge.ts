/**
 * Ridge regression on a sparse matrix, by conjugate gradients on the normal equations with the diagonal as
 * preconditioner (Golub & Van Loan §11.5): the closed form, where forming CᵀC would not fit in memory.
 */
import type { Matrix64 } from '#core'

/** Rows of few entries: those of row i stand at `starts[i]` … `starts[i + 1] − 1`. */
export interface SparseRows {
  readonly rows: number
  readonly width: number
  readonly starts: Int32Array
  readonly columns: Int32Array
  readonly values: Float64Array
}

/** C · x: [C.rows × x.width]; x has as many rows as C is wide. */
export function sparseTimes(c: SparseRows, x: Pick<Matrix64, 'width'> & { data: ArrayLike<number> }): Float64Array {
  const { width } = x
  const out = new Float64Array(c.rows * width)
  for (let i = 0; i < c.rows; i++)
    for (let e = c.starts[i]!; e < c.starts[i + 1]!; e++) {
      const [value, from] = [c.values[e]!, c.columns[e]! * width]
      for (let k = 0; k < width; k++) out[i * width + k]! += value * x.data[from + k]!
    }
  return out
}

/** Cᵀ · x: [C.width × x.width]. */
function transposedTimes(c: SparseRows, { width, data }: Matrix64): Float64Array {
  const out = new Float64Array(c.width * width)
  for (let i = 0; i < c.rows; i++)
    for (let e = c.starts[i]!; e < c.starts[i + 1]!; e++) {
      const [value, to] = [c.values[e]!, c.columns[e]! * width]
      for (let k = 0; k < width; k++) out[to + k]! += value * data[i * width + k]!
    }
  return out
}

export interface RidgeOptions {
  /** λ > 0 */
  ridge: number
  /** Where to start: the solution for another ridge. */
  from?: Float64Array | undefined
  /** Residual of the normal equations per column, as a share of ‖Cᵀ y‖. */
  tolerance?: number | undefined
  /** After each iteration; awaited, so that others can run. */
  onIteration?: (() => Promise<void>) | undefined
}

/** x [C.width × y.width] of least ‖C x − y‖² + λ ‖x‖². A column of C without entries gives a row of zeros. */
export async function solveSparseRidge(
  c: SparseRows,
  y: Matrix64,
  { ridge, from, tolerance = 1e-6, onIteration }: RidgeOptions,
): Promise<Float64Array> {
  const { width } = y
  const x = from === undefined ? new Float64Array(c.width * width) : Float64Array.from(from)
  const diagonal = new Float64Array(c.width).fill(ridge)
  c.columns.forEach((column, e) => (diagonal[column]! += c.values[e]! ** 2))
  const target = transposedTimes(c, y)
  const normal = normalTimes(c, ridge, width, x)
  const rest = target.map((value, i) => value - normal[i]!)
  const conditioned = (values: Float64Array): Float64Array => {
    const out = new Float64Array(values.length)
    for (let j = 0; j < c.width; j++)
      for (let i = j * width; i < (j + 1) * width; i++) out[i] = values[i]! / diagonal[j]!
    return out
  }
  const ends = columnProducts(target, target, width).map((squared) => squared * tolerance ** 2)
  const isDone = (): boolean => columnProducts(rest, rest, width).every((squared, k) => squared <= ends[k]!)
  let steps = conditioned(rest)
  let steepness = columnProducts(rest, steps, width)
  // exact arithmetic ends after as many iterations as there are unknowns of a column
  for (let iteration = 0; iteration < 2 * c.width && !isDone(); iteration++) {
    const curved = normalTimes(c, ridge, width, steps)
    const lengths = quotients(steepness, columnProducts(steps, curved, width))
    for (let from = 0; from < x.length; from += width)
      for (let k = 0; k < width; k++) {
        x[from + k]! += lengths[k]! * steps[from + k]!
        rest[from + k]! -= lengths[k]! * curved[from + k]!
      }
    const next = conditioned(rest)
    const before = steepness
    steepness = columnProducts(rest, next, width)
    const kept = quotients(steepness, before)
    for (let from = 0; from < x.length; from += width)
      for (let k = 0; k < width; k++) next[from + k]! += kept[k]! * steps[from + k]!
    steps = next
    await onIteration?.()
  }
  return x
}

/** (Cᵀ C + λ) x */
function normalTimes(c: SparseRows, ridge: number, width: number, x: Float64Array): Float64Array {
  const out = transposedTimes(c, { rows: c.rows, width, data: sparseTimes(c, { width, data: x }) })
  for (let i = 0; i < out.length; i++) out[i]! += ridge * x[i]!
  return out
}

/** Products of the columns of two matrices, each with its own. */
function columnProducts(a: Float64Array, b: Float64Array, width: number): Float64Array {
  const out = new Float64Array(width)
  for (let from = 0; from < a.length; from += width)
    for (let k = 0; k < width; k++) out[k]! += a[from + k]! * b[from + k]!
  return out
}

/** Columns that are solved have 0 / 0: they stay where they are. */
function quotients(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, k) => (b[k] === 0 ? 0 : value / b[k]!))
}
