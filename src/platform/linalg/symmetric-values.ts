/** Eigenvalues of a symmetric matrix alone: all that an entropy asks for, at a fraction of the price of vectors. */
import { fault, type Matrix64 } from '#core'
import { ordinary } from './ordinary.ts'
import { tridiagonal } from './tridiagonal.ts'

/**
 * Descending, each to rounding of the largest; NaN and infinity give NaN. About 4/3 n³ multiply-adds, half of them in products
 * on the engine; two matrices of memory.
 */
export async function symmetricValues(a: Matrix64): Promise<Float64Array> {
  const { matrix, unit } = ordinary(a)
  if (Number.isNaN(unit)) return new Float64Array(a.rows).fill(NaN)
  const { diagonal, off } = await tridiagonal(matrix)
  return tridiagonalValues(diagonal, off)
    .map((value) => value * unit)
    .sort()
    .reverse()
}

/** Steps per value, on average, after which the method has failed (LAPACK's dsterf); two are usual. */
const mostSteps = 30

/**
 * Values of the matrix with this diagonal and off[i] between i and i − 1, in no particular order: QL steps that need
 * only one square root per step, for the shift (Pal, Walker & Kahan; Parlett 1980, §8.14). They work on the squares of
 * the off-diagonal entries.
 */
function tridiagonalValues(diagonal: Float64Array, off: Float64Array): Float64Array {
  const n = diagonal.length
  let largest = 0
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(diagonal[i]!), i > 0 ? Math.abs(off[i]!) : 0)
  if (largest === 0) return new Float64Array(n)
  // squares of values of at most 1 do not overflow, and their underflow is far below rounding
  const d = diagonal.map((value) => value / largest)
  /** squares[i]: between i and i + 1. */
  const squares = new Float64Array(n)
  for (let i = 0; i + 1 < n; i++) squares[i] = (off[i + 1]! / largest) ** 2
  let left = mostSteps * n
  for (let first = 0; first < n;) {
    let last = first
    while (last + 1 < n && squares[last]! > Number.EPSILON ** 2) last++
    squares[last] = 0
    if (last === first) first++
    else if (left-- > 0) step(d, squares, first, last)
    else throw fault('tensor.value', { place: 'eigenvalues', what: 'they do not settle', seen: [n, n] })
  }
  return d.map((value) => value * largest)
}

/**
 * One step on the part first … last, which hangs together; the shift is the eigenvalue of its first two that lies
 * nearer to the first.
 */
function step(d: Float64Array, squares: Float64Array, first: number, last: number): void {
  const link = Math.sqrt(squares[first]!)
  const slope = (d[first + 1]! - d[first]!) / (2 * link)
  const length = Math.sqrt(1 + slope * slope)
  const shift = d[first]! - link / (slope + (slope < 0 ? -length : length))
  let c = 1
  let s = 0
  let gamma = d[last]! - shift
  let p = gamma * gamma
  for (let i = last - 1; i >= first; i--) {
    const square = squares[i]!
    const r = p + square
    if (i + 1 < last) squares[i + 1] = s * r
    const [before, oldGamma] = [c, gamma]
    c = p / r
    s = square / r
    gamma = c * (d[i]! - shift) - s * oldGamma
    d[i + 1] = oldGamma + (d[i]! - gamma)
    p = c === 0 ? before * square : (gamma * gamma) / c
  }
  squares[first] = s * p
  d[first] = shift + gamma
}
