/**
 * Does a difference exceed chance? Paired bootstrap over items: both models are scored on the same resamples
 * (decisions: significance).
 */
import { quantile } from '#core'
import { rankLanes } from '#platform/linalg'
import { randomState } from '#platform/random'

/**
 * The statistic of a resample; `counts[i]` is the number of times item i was drawn. NaN where it is undefined. `counts`
 * is never modified afterwards: values that depend on it alone are cached.
 */
export interface Statistic {
  (counts: ArrayLike<number>): number
  /** The same of several resamples at once, where that takes less time. */
  readonly several?: (resamples: readonly ArrayLike<number>[]) => ArrayLike<number>
}

export interface Interval {
  /** 95 % interval of the difference ours − theirs. */
  readonly low: number
  readonly high: number
  /**
   * Two-sided: twice the smaller share of resamples on one side of zero; never below 2^(1 − items), the limit of a sign
   * test with that number of items.
   */
  readonly p: number
  readonly draws: number
}

/**
 * Maximum number of items drawn over all resamples; with more items there are fewer resamples, and the interval
 * contains their number.
 */
const mostDrawn = 400_000_000

/** Resamples that a statistic is given at once: as many as the kernel of rank correlations takes. */
const together = rankLanes

/** One part of a task for several contenders: their statistics on the same items. */
export interface JointPart {
  readonly items: number
  readonly statistics: readonly Statistic[]
}

interface Draws {
  draws?: number | undefined
  seed?: number | undefined
}

/**
 * Mean score over the parts of every contender on the same resamples, [contenders][draws]; parts are resampled one by
 * one. Empty where a part has fewer than two items: resampling a single item carries no information.
 */
export function jointDraws(
  parts: readonly JointPart[],
  { draws: asked = 10_000, seed = 42 }: Draws = {},
): Float64Array[] {
  const size = itemsIn(parts)
  const contenders = parts[0]?.statistics.length ?? 0
  if (isTooFew(parts)) return []
  const draws = Math.max(1000, Math.min(asked, Math.floor(mostDrawn / size)))
  const random = randomState(seed)
  const scores = Array.from({ length: contenders }, () => new Float64Array(draws))
  for (let from = 0; from < draws; from += together) {
    const drawn = Array.from({ length: Math.min(together, draws - from) }, () =>
      parts.map(({ items }) => drawnCounts(items, random)),
    )
    for (const [p, { statistics }] of parts.entries()) {
      const resamples = drawn.map((counts) => counts[p]!)
      for (let i = 0; i < contenders; i++) {
        const statistic = statistics[i]!
        const values = statistic.several?.(resamples) ?? resamples.map(statistic)
        for (let k = 0; k < resamples.length; k++) scores[i]![from + k]! += values[k]! / parts.length
      }
    }
  }
  return scores
}

/** How often each item is drawn, in as many draws as there are items. */
function drawnCounts(items: number, random: ReturnType<typeof randomState>): Uint16Array {
  const counts = new Uint16Array(items)
  for (let k = 0; k < items; k++) counts[Math.floor((random.word() / 2 ** 32) * items)]!++
  return counts
}

/** A part with one item is the same in every resample: its draws would have no spread. */
export function isTooFew(parts: readonly { readonly items: number }[]): boolean {
  return parts.length === 0 || parts.some(({ items }) => items < 2)
}

export function itemsIn(parts: readonly { readonly items: number }[]): number {
  return parts.reduce((sum, { items }) => sum + items, 0)
}

/**
 * Interval of the difference of two contenders' draws, for the given number of items. Undefined when the difference is
 * undefined on too many of them.
 */
export function makeInterval(ours: Float64Array, theirs: Float64Array, items: number): Interval | undefined {
  let [defined, below, above] = [0, 0, 0]
  const all = new Float64Array(ours.length)
  for (let draw = 0; draw < ours.length; draw++) {
    const difference = ours[draw]! - (theirs[draw] ?? NaN)
    if (!Number.isFinite(difference)) continue
    all[defined++] = difference
    if (difference <= 0) below++
    if (difference >= 0) above++
  }
  if (ours.length === 0 || defined < 0.99 * ours.length) return undefined
  // a typed array without a comparator is sorted by the engine, ten times as fast: a folder has thousands of pairs
  const differences = all.subarray(0, defined).sort()
  return {
    low: quantile(differences, 0.025),
    high: quantile(differences, 0.975),
    // the draws cannot resolve a share smaller than one draw on the other side of 0
    p: Math.min(1, Math.max(2 ** (1 - items), (2 * Math.max(1, Math.min(below, above))) / differences.length)),
    draws: differences.length,
  }
}

/**
 * 95 % intervals of several means over the same items, from the same resamples: one list of item values per mean. NaN
 * stands for an item that has no value and does not count.
 *
 * @example
 * ```ts
 * import { meanIntervals } from 'strata-lm/statistics'
 *
 * const [interval] = meanIntervals([[0, 1, 1, 0, 1, 1, 1, 0]])
 * console.log(interval) // → { low: 0.25, high: 1 }
 * ```
 */
export function meanIntervals(
  columns: readonly ArrayLike<number>[],
  { draws = 1000, seed = 42 }: Draws = {},
): { readonly low: number; readonly high: number }[] {
  const items = columns[0]?.length ?? 0
  const statistics = columns.map((values): Statistic => {
    const own = Float64Array.from(values, (value) => (Number.isNaN(value) ? 0 : value))
    const without = Array.from(values).flatMap((value, i) => (Number.isNaN(value) ? [i] : []))
    return (counts) => {
      let [sum, total] = [0, own.length]
      for (let i = 0; i < own.length; i++) sum += own[i]! * counts[i]!
      for (const i of without) total -= counts[i]!
      return sum / total
    }
  })
  return jointDraws([{ items, statistics }], { draws, seed }).map((scores) => {
    const sorted = Array.from(scores.filter((value) => !Number.isNaN(value))).sort((a, b) => a - b)
    return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
  })
}
