/** Pearson and Spearman correlation in float64, as scipy.stats computes them. */
import { fault } from '#core'
import { averageRanks } from './ranks.ts'

/**
 * Pearson's correlation in float64, as scipy.stats computes it. NaN when a side is constant, holds a NaN, or has fewer
 * than two values. Throws `internal` when the sides differ in length.
 *
 * @example
 * ```ts
 * import { pearson } from 'strata-lm/linalg'
 *
 * console.log(pearson([1, 2, 3, 4], [2, 4, 7, 8]).toFixed(4)) // → 0.9845
 * ```
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length !== y.length)
    throw fault('internal', { place: 'correlation', what: 'sides differ in length', seen: [x.length, y.length] })
  if (x.length < 2 || isConstant(x) || isConstant(y)) return NaN
  const [a, b] = [centred(x), centred(y)]
  const [normA, normB] = [norm(a), norm(b)]
  let product = 0
  for (let i = 0; i < a.length; i++) product += (a[i]! / normA) * (b[i]! / normB)
  return Math.max(-1, Math.min(1, product))
}

/**
 * Spearman's correlation: Pearson's of the average ranks. NaN and `internal` as for `pearson`.
 *
 * @example
 * ```ts
 * import { spearman } from 'strata-lm/linalg'
 *
 * console.log(spearman([1, 2, 3, 4], [1, 8, 27, 64])) // → 1
 * ```
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return pearson(averageRanks(x), averageRanks(y))
}

function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false
  return true
}

function centred(values: ArrayLike<number>): Float64Array {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  const mean = sum / values.length
  const out = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) out[i] = values[i]! - mean
  return out
}

/** Scaled by the largest magnitude, so that tiny and huge values neither vanish nor overflow. */
function norm(values: Float64Array): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  if (largest === 0 || !Number.isFinite(largest)) return largest
  let sum = 0
  for (const value of values) sum += (value / largest) ** 2
  return largest * Math.sqrt(sum)
}
