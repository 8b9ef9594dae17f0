/** Right and wrong answers of two sides: McNemar's test, in every part and over all of them, and a paired bootstrap. */
import { type Interval, jointDraws, makeInterval } from './bootstrap.ts'
import { holm } from './corrected.ts'
import { signTest } from './paired-tests.ts'

export interface AnswersCompared {
  /** Items of all parts. */
  readonly items: number
  /** Items that only the first, or only the second, answers rightly. */
  readonly wins: number
  readonly losses: number
  /** McNemar's exact test over all of them. */
  readonly p: number
  /** Interval of the mean difference of the accuracies, by items drawn within each part; undefined for too few. */
  readonly interval: Interval | undefined
  /** Parts in which McNemar's test finds a difference, corrected for their number (Holm, 5 %). */
  readonly ahead: number
  readonly behind: number
}

/** One part: 1 for an item that is answered rightly, 0 otherwise, both sides in one order. */
export interface AnswerPair {
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/**
 * Undefined without a part, or where two sides have other numbers of items.
 *
 * @example
 * ```ts
 * import { compareAnswers } from 'strata-lm/statistics'
 *
 * const first = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 0, 1, 1)
 * const second = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 0)
 * const found = compareAnswers([{ first, second }])
 * console.log(found?.wins, found?.losses, found?.p.toFixed(3)) // → 8 1 0.039
 * ```
 */
export function compareAnswers(pairs: readonly AnswerPair[]): AnswersCompared | undefined {
  if (pairs.length === 0 || pairs.some(({ first, second }) => first.length !== second.length)) return undefined
  const counted = pairs.map(countsIn)
  const sum = (side: 'wins' | 'losses'): number => counted.reduce((total, one) => total + one[side], 0)
  const corrected = holm(counted.map(({ wins, losses }) => signTest(wins, losses)))
  const differing = counted.filter((_, i) => (corrected[i] ?? 1) < 0.05)
  const parts = pairs.map(({ first, second }) => ({
    items: first.length,
    statistics: [first, second].map((values) => (counts: ArrayLike<number>) => shareOf(values, counts)),
  }))
  const items = pairs.reduce((total, { first }) => total + first.length, 0)
  const [ours, theirs] = jointDraws(parts, { draws: 1000 })
  return {
    items,
    wins: sum('wins'),
    losses: sum('losses'),
    p: signTest(sum('wins'), sum('losses')),
    interval: ours === undefined || theirs === undefined ? undefined : makeInterval(ours, theirs, items),
    ahead: differing.filter(({ wins, losses }) => wins > losses).length,
    behind: differing.filter(({ wins, losses }) => wins < losses).length,
  }
}

function countsIn({ first, second }: AnswerPair): { readonly wins: number; readonly losses: number } {
  let [wins, losses] = [0, 0]
  for (let i = 0; i < first.length; i++) {
    if (first[i]! > second[i]!) wins++
    else if (first[i]! < second[i]!) losses++
  }
  return { wins, losses }
}

/** Mean of the values, each counted as often as it was drawn. */
function shareOf(values: Uint8Array, counts: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * counts[i]!
  return sum / values.length
}
