/**
 * Kendall's rank correlation with ties (tau-b), as scipy.stats computes it: pairs in order against pairs out of order,
 * counted by a merge sort (Knight 1966).
 */
import { fault } from '#core'

/**
 * Kendall's rank correlation with ties (τ-b), as scipy.stats computes it. NaN when a side is constant, holds a NaN, or
 * has fewer than two values. Throws `internal` when the sides differ in length.
 *
 * @example
 * ```ts
 * import { kendall } from 'strata-lm/linalg'
 *
 * console.log(kendall([1, 2, 3, 4], [1, 3, 2, 4]).toFixed(4)) // → 0.6667
 * ```
 */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length !== y.length)
    throw fault('internal', { place: 'correlation', what: 'sides differ in length', seen: [x.length, y.length] })
  const n = x.length
  for (let i = 0; i < n; i++) if (Number.isNaN(x[i]) || Number.isNaN(y[i])) return NaN
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!)
  const sorted = Float64Array.from(order, (i) => y[i]!)
  const equalX = tied(n, (i) => x[order[i]!] === x[order[i - 1]!])
  const equalBoth = tied(n, (i) => x[order[i]!] === x[order[i - 1]!] && sorted[i] === sorted[i - 1])
  const discordant = inversions(sorted, new Float64Array(n), 0, n)
  const equalY = tied(n, (i) => sorted[i] === sorted[i - 1])
  const pairs = (n * (n - 1)) / 2
  if (n < 2 || equalX === pairs || equalY === pairs) return NaN
  const tau =
    (pairs - equalX - equalY + equalBoth - 2 * discordant) / Math.sqrt(pairs - equalX) / Math.sqrt(pairs - equalY)
  return Math.max(-1, Math.min(1, tau))
}

/** Pairs within runs of equal neighbours. */
function tied(n: number, sameAsBefore: (i: number) => boolean): number {
  let [pairs, run] = [0, 0]
  for (let i = 1; i < n; i++) {
    run = sameAsBefore(i) ? run + 1 : 0
    pairs += run
  }
  return pairs
}

/** Pairs of values in descending order; sorts them on the way. */
function inversions(values: Float64Array, scratch: Float64Array, from: number, to: number): number {
  if (to - from < 2) return 0
  const middle = (from + to) >>> 1
  let count = inversions(values, scratch, from, middle) + inversions(values, scratch, middle, to)
  let [left, right] = [from, middle]
  for (let out = from; out < to; out++) {
    if (right >= to || (left < middle && values[left]! <= values[right]!)) scratch[out] = values[left++]!
    else {
      scratch[out] = values[right++]!
      count += middle - left
    }
  }
  values.set(scratch.subarray(from, to), from)
  return count
}
