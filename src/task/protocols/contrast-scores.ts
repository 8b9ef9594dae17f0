/**
 * Scores of an anchor's similarity to its positive against that to its negatives, with their uncertainty over other
 * anchors of the same kind.
 */
import { quantile } from '#core'
import { randomState } from '#platform/random'

/** Cosines of anchors [anchors] and their negatives [anchors][negatives of the anchor]. */
export interface Contrasts {
  readonly positives: Float64Array
  readonly negatives: readonly Float64Array[]
}

export interface ContrastScores {
  /** Share of all pairs (a positive, a negative of any anchor) in which the positive is more similar; a tie is half. */
  readonly auc: number
  /** Share of anchors whose positive is more similar than each of their negatives; a tie is not. */
  readonly accuracy_at_1: number
  /** Mean of 1 / rank of the positive among its anchor's negatives; ties rank before it. */
  readonly mrr: number
  /** Mean of cos(anchor, positive) − highest cos(anchor, negative), −2 … 2. */
  readonly margin: number
}

export interface Bounds {
  readonly low: number
  readonly high: number
}

/**
 * Each anchor by itself. The mean of a list is the score, except that of `auc`: the AUC compares an anchor's positive
 * with the negatives of all anchors, and is the mean of `aucParts`.
 */
export type AnchorScores = { readonly [Name in keyof ContrastScores]: Float64Array } & {
  readonly aucParts: Float64Array
}

export const contrastScoreNames = ['auc', 'accuracy_at_1', 'mrr', 'margin'] as const satisfies (keyof ContrastScores)[]

export function contrastScores(contrasts: Contrasts): ContrastScores {
  return scorerOf(contrasts)(new Uint16Array(contrasts.positives.length).fill(1))
}

/**
 * 95 % percentile bootstrap over anchors, each drawn with its negatives (Efron and Tibshirani 1993, chapter 13).
 * Undefined for a single anchor, whose resamples are all alike.
 */
export function contrastIntervals(
  contrasts: Contrasts,
  { draws = 1000, seed = 42 }: { draws?: number; seed?: number } = {},
): Record<keyof ContrastScores, Bounds> | undefined {
  const anchors = contrasts.positives.length
  if (anchors < 2) return undefined
  const random = randomState(seed)
  const score = scorerOf(contrasts)
  const found = Array.from({ length: draws }, () => {
    const counts = new Uint16Array(anchors)
    for (let k = 0; k < anchors; k++) {
      const at = Math.floor((random.word() / 2 ** 32) * anchors)
      counts[at] = counts[at]! + 1
    }
    return score(counts)
  })
  const bounds = (name: keyof ContrastScores): Bounds => {
    const sorted = found.map((scores) => scores[name]).sort((a, b) => a - b)
    return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
  }
  return { auc: bounds('auc'), accuracy_at_1: bounds('accuracy_at_1'), mrr: bounds('mrr'), margin: bounds('margin') }
}

/**
 * Per anchor. Its own AUC is the share of its negatives that are less similar than its positive, a tie being half. Its
 * part of the AUC is how its positive fares against all negatives, plus how its negatives fare against all positives,
 * minus the AUC: the variance of these is that of the AUC (DeLong et al. 1988), and they may lie outside 0 … 1.
 */
export function anchorScores(contrasts: Contrasts): AnchorScores {
  const { positives, negatives } = contrasts
  const { auc } = contrastScores(contrasts)
  const [above, below] = [sharesBelow(negatives.flatMap((own) => [...own])), sharesBelow([...positives])]
  const meanNegatives = negatives.reduce((sum, { length }) => sum + length, 0) / positives.length
  return {
    auc: positives.map((value, i) => sharesBelow([...negatives[i]!])(value)),
    aucParts: positives.map((value, i) => {
      const beaten = negatives[i]!.reduce((sum, other) => sum + 1 - below(other), 0)
      return above(value) + beaten / meanNegatives - auc
    }),
    accuracy_at_1: positives.map((value, i) => Number(rankOf(value, negatives[i]!) === 1)),
    mrr: positives.map((value, i) => 1 / rankOf(value, negatives[i]!)),
    margin: positives.map((value, i) => value - Math.max(...negatives[i]!)),
  }
}

/** Scores of a resample in which anchor i occurs `counts[i]` times. */
function scorerOf(contrasts: Contrasts): (counts: Uint16Array) => ContrastScores {
  const { positives, negatives } = contrasts
  const area = areaOf(contrasts)
  const ranks = positives.map((value, i) => rankOf(value, negatives[i]!))
  const margins = positives.map((value, i) => value - Math.max(...negatives[i]!))
  return (counts) => {
    let [drawn, first, reciprocal, margin] = [0, 0, 0, 0]
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i]!
      drawn += count
      if (ranks[i] === 1) first += count
      reciprocal += count / ranks[i]!
      margin += count * margins[i]!
    }
    return { auc: area(counts), accuracy_at_1: first / drawn, mrr: reciprocal / drawn, margin: margin / drawn }
  }
}

/** The area under the ROC curve as Mann and Whitney's statistic; values are sorted once for all resamples. */
function areaOf({ positives, negatives }: Contrasts): (counts: Uint16Array) => number {
  const entries = [
    ...Array.from(positives, (value, anchor) => ({ value, anchor, isPositive: true })),
    ...negatives.flatMap((own, anchor) => Array.from(own, (value) => ({ value, anchor, isPositive: false }))),
  ].sort((a, b) => a.value - b.value)
  return (counts) => {
    let [won, under, all] = [0, 0, 0]
    for (let start = 0; start < entries.length;) {
      const { value } = entries[start]!
      let [end, over, tied] = [start, 0, 0]
      for (; end < entries.length && entries[end]!.value === value; end++) {
        const { anchor, isPositive } = entries[end]!
        if (isPositive) over += counts[anchor]!
        else tied += counts[anchor]!
      }
      won += over * (under + tied / 2)
      all += over
      under += tied
      start = end
    }
    return won / (all * under)
  }
}

/** Share of the values below a value, ties counting half. */
function sharesBelow(values: readonly number[]): (value: number) => number {
  const sorted = Float64Array.from(values).sort()
  const count = (isBelow: (other: number) => boolean): number => {
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (isBelow(sorted[middle]!)) from = middle + 1
      else to = middle
    }
    return from
  }
  return (value) => (count((other) => other < value) + count((other) => other <= value)) / (2 * sorted.length)
}

/** 1 where no negative is as similar. */
function rankOf(positive: number, negatives: Float64Array): number {
  return 1 + negatives.reduce((before, other) => before + Number(other >= positive), 0)
}
