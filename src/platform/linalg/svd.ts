/**
 * Singular value decomposition up to the numerical rank, in float64, and what follows from it.
 *
 * The smaller Gram matrix is decomposed; a Gram matrix loses everything below the root of the precision, so only the
 * upper three decades of singular values are taken from it, and the rest of the matrix – projected on the remaining
 * directions – is treated likewise, level by level, down to the rounding error of the matrix itself.
 */
import { fault, type Matrix64 } from '#core'
import { product, rowOf, scaleColumns, stacked } from './dense64.ts'
import { ordinary } from './ordinary.ts'
import { timesTransposed, transposed } from './product.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

export interface Svd {
  /** [rows × rank], orthonormal columns; the largest entry of each is positive. */
  readonly u: Matrix64
  /** Descending. */
  readonly s: Float64Array
  /** [width × rank] */
  readonly v: Matrix64
}

/**
 * Share of the largest singular value of a level that is still taken from its Gram matrix: vectors are orthogonal to
 * about ε / levelShare².
 */
const levelShare = 1e-3

export interface SvdOptions {
  /** At most this many singular values, the largest; those below need not be found then. */
  largest?: number | undefined
}

/**
 * Singular value decomposition, a = U S Vᵀ, of [rows × width] in float64: every singular value above max(rows, width) ·
 * ε · the largest, in descending order. Values that are not finite give NaN. `largest`: stop after this many, which may
 * cost less.
 *
 * @example
 * ```ts
 * import { svd } from 'strata-lm/linalg'
 *
 * const { s } = await svd({ rows: 2, width: 2, data: Float64Array.of(3, 0, 0, 4) })
 * console.log([...s].map((value) => value.toFixed(3)).join(' ')) // → 4.000 3.000
 * ```
 */
export async function svd(a: Matrix64, { largest: most = Infinity }: SvdOptions = {}): Promise<Svd> {
  if (a.rows < a.width) {
    const { u, s, v } = await svd(transposed(a), { largest: most })
    return withSigns(v, s, u)
  }
  const { matrix, unit } = ordinary(a)
  if (Number.isNaN(unit)) return notANumber(a)
  // both as rows: rest[i] = matrix · right[i]
  let right: Matrix64 | undefined
  let rest = transposed(matrix)
  const [lefts, rights, values]: [Float64Array[], Float64Array[], number[]] = [[], [], []]
  // every level takes at least one value
  while (rest.rows > 0 && values.length < most) {
    if (right !== undefined) rest = await without(rest, lefts)
    const rounding = Math.max(a.rows, a.width) * Number.EPSILON * (values[0] ?? 0)
    if (lengthOf(rest.data) <= rounding) break
    const { vectors } = await symmetricEigen({
      rows: rest.rows,
      width: rest.rows,
      data: await timesTransposed(rest, rest),
    })
    rest = await product(vectors, rest)
    right = right === undefined ? vectors : await product(vectors, right)
    const norms = Array.from({ length: rest.rows }, (_, i) => lengthOf(rowOf(rest, i)))
    const order = norms.map((_, i) => i).sort((i, j) => norms[j]! - norms[i]!)
    const largest = norms[order[0]!]!
    if (largest <= rounding) break
    if (!Number.isFinite(largest))
      throw fault('tensor.value', { place: 'singular values', what: 'they overflow', seen: [a.rows, a.width] })
    const taken = order.filter((i) => norms[i]! > levelShare * largest).slice(0, most - values.length)
    for (const i of taken) {
      lefts.push(rowOf(rest, i).map((value) => value / norms[i]!))
      rights.push(rowOf(right, i).slice())
      values.push(norms[i]!)
    }
    const left = order.slice(taken.length)
    ;[rest, right] = [
      stacked(
        left.map((i) => rowOf(rest, i)),
        rest.width,
      ),
      stacked(
        left.map((i) => rowOf(right!, i)),
        right.width,
      ),
    ]
  }
  const s = Float64Array.from(values, (value) => value * unit)
  return withSigns(transposed(stacked(lefts, a.rows)), s, transposed(stacked(rights, a.width)))
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

/** The nearest matrix with orthonormal columns (or rows, where it is wide) on the range of a: U Vᵀ. */
export async function polar(a: Matrix64): Promise<Matrix64> {
  const { u, v } = await svd(a)
  return { rows: a.rows, width: a.width, data: await timesTransposed(u, v) }
}

/** Rows without their parts along orthonormal vectors; twice, as once leaves rounding of the parts taken off. */
async function without(rest: Matrix64, vectors: readonly Float64Array[]): Promise<Matrix64> {
  const taken = stacked(vectors, rest.width)
  let data = rest.data
  for (let round = 0; round < 2; round++) {
    const parts = { rows: rest.rows, width: taken.rows, data: await timesTransposed({ ...rest, data }, taken) }
    const off = await product(parts, taken)
    data = data.map((value, i) => value - off.data[i]!)
  }
  return { ...rest, data }
}

/**
 * Flips both vectors of a pair so that the left one's largest entry is positive: results then do not depend on how they
 * were found.
 */
function withSigns(u: Matrix64, s: Float64Array, v: Matrix64): Svd {
  const signs = new Float64Array(s.length).fill(1)
  for (let r = 0; r < s.length; r++) {
    let largest = 0
    for (let i = 0; i < u.rows; i++) {
      const value = u.data[i * u.width + r]!
      // entries within rounding of the largest do not count as larger: the first of them decides
      if (Math.abs(value) > Math.abs(largest) * (1 + 1e-9)) largest = value
    }
    if (largest < 0) signs[r] = -1
  }
  return { u: scaleColumns(u, signs), s, v: scaleColumns(v, signs) }
}

function notANumber(a: Matrix64): Svd {
  const rank = Math.min(a.rows, a.width)
  const filled = (rows: number): Matrix64 => ({ rows, width: rank, data: new Float64Array(rows * rank).fill(NaN) })
  return { u: filled(a.rows), s: new Float64Array(rank).fill(NaN), v: filled(a.width) }
}
