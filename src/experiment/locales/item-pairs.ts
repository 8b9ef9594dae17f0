/** Two types compared text by text: McNemar's test, in every locale and over all of them, and a paired bootstrap. */
import { holm, type Interval, jointDraws, makeInterval, signTest } from '#result/statistics'

export interface ItemPair {
  /** Texts of the locales that both have. */
  readonly items: number
  /** Texts that only the first, or only the second, answers rightly. */
  readonly wins: number
  readonly losses: number
  /** McNemar's exact test over all of them. */
  readonly p: number
  /** Of the mean difference of the accuracies, by texts drawn within each locale; undefined for too few. */
  readonly interval: Interval | undefined
  /** Locales in which McNemar's test finds a difference, corrected for their number (Holm, 5 %). */
  readonly ahead: number
  readonly behind: number
}

/** 1 for a text that is answered rightly, 0 otherwise; both sides of a locale in one order. */
export interface AnswerPair {
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/** Undefined without a locale, or where two sides have other numbers of texts. */
export function compareItems(pairs: readonly AnswerPair[]): ItemPair | undefined {
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
