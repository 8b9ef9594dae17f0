/**
 * Solving with a symmetric positive definite matrix in float64, by blocks: the work of order n³ runs in products. Golub
 * & Van Loan §4.2.9.
 */
import { fault, type Matrix64 } from '#core'
import { timesTransposed, transposed } from './product.ts'

const block = 128
/** Ridges tried for a singular matrix, as shares of its mean diagonal. */
const ridges = [0, 1e-10, 1e-8, 1e-6]

/**
 * x with x · a = b, row by row of b [rows × n]; a [n × n] symmetric, positive semidefinite. `ridge`: what had to be
 * added to the diagonal. Throws `tensor.value` where none of them helps.
 */
export async function solvePositive(a: Matrix64, b: Matrix64): Promise<{ solution: Float64Array; ridge: number }> {
  const n = a.rows
  let mean = 0
  for (let i = 0; i < n; i++) mean += a.data[i * n + i]! / n
  for (const share of ridges) {
    const lower = Float64Array.from(a.data)
    for (let i = 0; i < n; i++) lower[i * n + i]! += share * mean
    if (!(await factor(lower, n))) continue
    const solution = Float64Array.from(b.data)
    await solveLower(lower, n, solution, b.rows)
    await solveUpper(lower, n, solution, b.rows)
    return { solution, ridge: share * mean }
  }
  throw fault('tensor.value', { place: 'solvePositive', what: 'the matrix is not positive definite', seen: [n, n] })
}

/** a ← its lower factor, in place; false for a pivot that is lost in rounding. */
async function factor(a: Float64Array, n: number): Promise<boolean> {
  let largest = 0
  for (let i = 0; i < n; i++) largest = Math.max(largest, a[i * n + i]!)
  const smallest = n * Number.EPSILON * largest
  for (let first = 0; first < n; first += block) {
    const end = Math.min(n, first + block)
    for (let j = first; j < end; j++) {
      for (let i = j; i < n; i++) {
        let sum = a[i * n + j]!
        for (let k = first; k < j; k++) sum -= a[i * n + k]! * a[j * n + k]!
        if (i === j) {
          if (!(sum > smallest)) return false
          a[j * n + j] = Math.sqrt(sum)
        } else a[i * n + j] = sum / a[j * n + j]!
      }
    }
    if (end === n) break
    const panel = cut(a, n, [end, n], [first, end])
    const product = await timesTransposed(panel, panel)
    const rest = n - end
    for (let i = 0; i < rest; i++) for (let j = 0; j <= i; j++) a[(end + i) * n + end + j]! -= product[i * rest + j]!
  }
  return true
}

/** Rows y of x: y Lᵀ = x, in place. */
async function solveLower(l: Float64Array, n: number, x: Float64Array, rows: number): Promise<void> {
  for (let first = 0; first < n; first += block) {
    const end = Math.min(n, first + block)
    if (first > 0) {
      const before = cut(x, n, [0, rows], [0, first])
      subtract(x, n, await timesTransposed(before, cut(l, n, [first, end], [0, first])), rows, first)
    }
    for (let r = 0; r < rows; r++) {
      for (let j = first; j < end; j++) {
        let sum = x[r * n + j]!
        for (let k = first; k < j; k++) sum -= x[r * n + k]! * l[j * n + k]!
        x[r * n + j] = sum / l[j * n + j]!
      }
    }
  }
}

/** Rows y of x: y L = x, in place. */
async function solveUpper(l: Float64Array, n: number, x: Float64Array, rows: number): Promise<void> {
  for (let end = n; end > 0; end -= end % block === 0 ? block : end % block) {
    const first = end - (end % block === 0 ? block : end % block)
    if (end < n) {
      const after = cut(x, n, [0, rows], [end, n])
      const below = transposed(cut(l, n, [end, n], [first, end]))
      subtract(x, n, await timesTransposed(after, below), rows, first)
    }
    for (let r = 0; r < rows; r++) {
      for (let j = end - 1; j >= first; j--) {
        let sum = x[r * n + j]!
        for (let k = j + 1; k < end; k++) sum -= x[r * n + k]! * l[k * n + j]!
        x[r * n + j] = sum / l[j * n + j]!
      }
    }
  }
}

type Range = readonly [from: number, to: number]

/** Rows and columns of two ranges, without their ends, copied. */
function cut(a: Float64Array, width: number, [top, bottom]: Range, [left, right]: Range): Matrix64 {
  const data = new Float64Array((bottom - top) * (right - left))
  for (let i = top; i < bottom; i++)
    data.set(a.subarray(i * width + left, i * width + right), (i - top) * (right - left))
  return { rows: bottom - top, width: right - left, data }
}

/** Takes a part of as many rows off the columns from `left` on. */
function subtract(x: Float64Array, width: number, part: Float64Array, rows: number, left: number): void {
  const size = part.length / rows
  for (let r = 0; r < rows; r++) for (let j = 0; j < size; j++) x[r * width + left + j]! -= part[r * size + j]!
}
