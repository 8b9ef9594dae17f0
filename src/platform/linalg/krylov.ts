/**
 * The largest eigenvalues of a large symmetric matrix by block Lanczos with full orthogonalisation (Golub & Underwood
 * 1977): a basis of A's powers on a few seeded rows, grown until its own eigenvectors are the matrix's. For 768 of
 * 9,984 some 2,000 products with a vector, where filtered subspace iteration takes ten times as many.
 */
import type { Matrix64 } from '#core'
import { matmul } from '#platform/runtime'
import { randomState } from '#platform/random'
import { rowOf } from './dense64.ts'
import type { SymmetricEigen } from './jacobi-eigen.ts'
import { transposed } from './product.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

/** Rows of a block: fewer and the engine waits for memory, more and the powers stay low. */
const blockRows = 64
/** Residual ‖Av − λv‖ of every vector, in parts of the largest eigenvalue. */
const tolerance = 1e-9
/**
 * A direction this small, in parts of the largest product, is rounding: the basis holds all that its first rows can
 * reach.
 */
const vanishing = 1e-12

/**
 * `count` largest, descending, vectors as rows. Finite entries; count ≤ rows. The basis takes at most rows × rows, as a
 * rule three times `count` × rows.
 */
export async function krylovEigen(a: Matrix64, count: number): Promise<SymmetricEigen> {
  const n = a.rows
  const random = randomState(0)
  const drawn = (): Float64Array => Float64Array.from(random.randomSample(n), (value) => value - 0.5)
  // memory that is never written is never taken
  const basis = new Float64Array(n * n)
  const sofar = (m: number): Matrix64 => ({ rows: m, width: n, data: basis.subarray(0, m * n) })
  /** Row j: A q_j in the basis up to q_j's block. */
  const coefficients: Float64Array[] = []
  let [size, scale, before] = [0, 0, NaN]
  let [exhausted, target] = [false, Math.min(n, 2 * count + blockRows)]
  let open: Matrix64 = { rows: 0, width: n, data: new Float64Array(0) }

  for (;;) {
    const from = size
    const wanted = Math.min(blockRows, n - size)
    for (let i = 0; i < wanted; i++) {
      const row = i < open.rows ? rowOf(open, i) : drawn()
      const at = basis.subarray((from + i) * n, (from + i + 1) * n)
      at.set(row)
      if (unit(at) <= vanishing * scale) {
        exhausted = true
        at.set(drawn())
        unit(at)
      }
      size++
    }
    if (await orthonormal(basis, n, from, size, drawn)) exhausted = true
    const block: Matrix64 = { rows: size - from, width: n, data: basis.subarray(from * n, size * n) }
    const powers = transposed(await matmul(a, block, { transposeB: true, dtype: 'float64' }))
    const own = await lessProjection(powers, sofar(size))
    for (let i = 0; i < block.rows; i++) coefficients.push(rowOf(own, i).slice())
    for (let i = 0; i < powers.rows; i++) scale = Math.max(scale, Math.sqrt(dot(rowOf(own, i), rowOf(own, i))))
    open = powers
    if (size < target) continue

    const inner = await symmetricEigen(joint(coefficients))
    const sum = inner.values.subarray(0, count).reduce((total, value) => total + value, 0)
    // a repeated eigenvalue has more vectors than the rows reach: what new rows brought must not matter any more
    const settled = !exhausted || Math.abs(sum - before) <= 1e-12 * Math.abs(sum)
    const largest = Math.max(Math.abs(inner.values[0]!), Math.abs(inner.values.at(-1)!))
    if (size === n || (settled && residual(inner, count, open, from) <= tolerance * largest)) {
      const { data } = await matmul(
        { rows: count, width: size, data: inner.vectors.data.subarray(0, count * size) },
        sofar(size),
        { dtype: 'float64' },
      )
      return { values: inner.values.slice(0, count), vectors: { rows: count, width: n, data } }
    }
    before = sum
    target = Math.min(n, size + Math.max(2 * blockRows, count >> 1))
  }
}

/** Rows from … to − 1 against all before them and each other; whether one was no new direction and had to be drawn. */
async function orthonormal(
  basis: Float64Array,
  n: number,
  from: number,
  to: number,
  drawn: () => Float64Array,
): Promise<boolean> {
  const rows: Matrix64 = { rows: to - from, width: n, data: basis.subarray(from * n, to * n) }
  const before: Matrix64 = { rows: from, width: n, data: basis.subarray(0, from * n) }
  let redrawn = false
  // twice is enough (Kahan, in Parlett 1980 §6.9), and once more for a row drawn in the first round
  for (let round = 0; round < 2 || (redrawn && round < 3); round++) {
    await lessProjection(rows, before)
    for (let i = 0; i < rows.rows; i++) {
      const row = rowOf(rows, i)
      for (let k = 0; k < i; k++) subtract(row, rowOf(rows, k), dot(row, rowOf(rows, k)))
      if (unit(row) > 1e-10) continue
      redrawn = true
      row.set(drawn())
      unit(row)
    }
  }
  return redrawn
}

/** rows ← rows − rows·Qᵀ·Q; gives rows·Qᵀ. */
async function lessProjection(rows: Matrix64, q: Matrix64): Promise<Matrix64> {
  const shares = transposed(await matmul(q, rows, { transposeB: true, dtype: 'float64' }))
  const { data } = await matmul(shares, q, { dtype: 'float64' })
  for (let i = 0; i < data.length; i++) rows.data[i]! -= data[i]!
  return shares
}

/** The matrix in its basis, symmetric. */
function joint(coefficients: readonly Float64Array[]): Matrix64 {
  const m = coefficients.length
  const data = new Float64Array(m * m)
  for (const [i, row] of coefficients.entries())
    for (let j = 0; j <= i; j++) data[i * m + j] = data[j * m + i] = row[j]!
  return { rows: m, width: m, data }
}

/** The largest ‖Av − λv‖: what of A's rows of the last block lies outside the basis. */
function residual({ vectors }: SymmetricEigen, count: number, open: Matrix64, from: number): number {
  let largest = 0
  for (let k = 0; k < count; k++) {
    const outside = new Float64Array(open.width)
    const shares = rowOf(vectors, k).subarray(from)
    for (let i = 0; i < open.rows; i++) subtract(outside, rowOf(open, i), -shares[i]!)
    largest = Math.max(largest, Math.sqrt(dot(outside, outside)))
  }
  return largest
}

/** To length 1; the length it had. */
function unit(row: Float64Array): number {
  const length = Math.sqrt(dot(row, row))
  if (length > 0) for (let i = 0; i < row.length; i++) row[i]! /= length
  return length
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function subtract(from: Float64Array, row: Float64Array, factor: number): void {
  for (let i = 0; i < from.length; i++) from[i]! -= factor * row[i]!
}
