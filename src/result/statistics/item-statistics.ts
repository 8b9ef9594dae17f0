/** Scores of a part as functions of its items, each item weighted by the number of times a resample drew it. */

import type { Statistic } from './bootstrap.ts'
import { ascending, rankCorrelation, weightedRanks } from './rank-statistic.ts'

/** Columns of one (split, subset), rows in the data's order. */
export type ItemColumns = Readonly<Record<string, readonly unknown[]>>

/**
 * Tolerance between a stored score and one recomputed from its items, for their rounding and for float32 columns;
 * relative for a perplexity.
 */
const tolerance = 1e-4

/** A statistic, and the contribution of each item: higher is better, and a right answer is above a wrong one. */
export interface ItemStatistic {
  readonly name: string
  readonly statistic: Statistic
  readonly values: () => readonly number[]
}

/**
 * The statistic whose value over all items, once each, is the part's main score: the mean of a column, the rank
 * correlation of `cosine` and `gold`, the average precision of `cosine` for `label`, an area that is the mean of its
 * items' parts. Undefined where the items do not
 * add up to the score.
 */
export function findStatistic(items: ItemColumns, mainScore: number): ItemStatistic | undefined {
  const numeric = Object.entries(items).filter(
    ([, values]) => values.length > 0 && values.every((value) => typeof value === 'number' && Number.isFinite(value)),
  )
  const columns = Object.fromEntries(numeric) as Record<string, number[]>
  const { cosine, gold, label } = columns
  const candidates: ItemStatistic[] = [
    ...(cosine && gold
      ? [{ name: 'rank correlation', statistic: rankCorrelation(cosine, gold), values: () => nearness(cosine, gold) }]
      : []),
    ...(cosine && label
      ? [
          {
            name: 'average precision',
            statistic: averagePrecision(cosine, label),
            values: () => rightness(cosine, label),
          },
        ]
      : []),
    ...Object.keys(columns).flatMap((name) => perplexities(name, columns)),
    ...Object.keys(columns).flatMap((name) => areas(name, columns)),
    ...Object.entries(columns).map(([name, values]) => ({
      name: `mean of ${name}`,
      statistic: makeMean(values),
      values: () => values,
    })),
  ]
  return candidates.find(({ statistic }) => {
    const once = new Uint8Array(numeric[0]?.[1].length ?? 0).fill(1)
    return Math.abs(statistic(once) - mainScore) <= tolerance * Math.max(1, Math.abs(mainScore))
  })
}

/**
 * exp(−Σ nats / Σ weight), and the same in bits: lm-evaluation-harness takes perplexities over all documents at once.
 */
function perplexities(column: string, columns: Readonly<Record<string, readonly number[]>>): ItemStatistic[] {
  const metric = column.endsWith(' nats') ? column.slice(0, -' nats'.length) : undefined
  const [nats, weights] = [columns[`${metric} nats`], columns[`${metric} weight`]]
  if (metric === undefined || nats === undefined || weights === undefined) return []
  const [sum, total] = [makeMean(nats), makeMean(weights)]
  const values = (): number[] => nats.map((value, i) => value / weights[i]!)
  return [
    { name: `perplexity of ${metric}`, statistic: (counts) => Math.exp(-sum(counts) / total(counts)), values },
    { name: `bits of ${metric}`, statistic: (counts) => -sum(counts) / total(counts) / Math.LN2, values },
  ]
}

/**
 * An area under the ROC curve over all items: the mean of their parts of it (`…_part`), which is no item's own share of
 * won comparisons.
 */
function areas(column: string, columns: Readonly<Record<string, readonly number[]>>): ItemStatistic[] {
  const [parts, values] = [columns[`${column}_part`], columns[column]]
  if (parts === undefined || values === undefined) return []
  return [{ name: `area ${column}`, statistic: makeMean(parts), values: () => values }]
}

/** 1 for an item at its proper rank, 0 for one at the opposite end. */
function nearness(cosine: readonly number[], gold: readonly number[]): number[] {
  const [own, wanted] = [shareRanks(cosine), shareRanks(gold)]
  return own.map((rank, i) => 1 - Math.abs(rank - wanted[i]!))
}

/**
 * For a pair that belongs together, the share of items that are less similar; for any other pair, the share of items
 * that are more similar.
 */
function rightness(cosine: readonly number[], label: readonly number[]): number[] {
  return shareRanks(cosine).map((rank, i) => (label[i] === 1 ? rank : 1 - rank))
}

/** Ranks scaled to 0 … 1; ties share their mean rank. */
function shareRanks(values: readonly number[]): number[] {
  const { ranks } = weightedRanks(values)(new Uint8Array(values.length).fill(1))
  return Array.from(ranks, (rank) => (values.length < 2 ? 0 : (rank - 1) / (values.length - 1)))
}

export function makeMean(values: readonly number[]): Statistic {
  const own = Float64Array.from(values)
  const one = (counts: ArrayLike<number>): number => {
    let sum = 0
    let total = 0
    for (let i = 0; i < own.length; i++) {
      sum += own[i]! * counts[i]!
      total += counts[i]!
    }
    return sum / total
  }
  return Object.assign(one, {
    several: (resamples: readonly ArrayLike<number>[]) =>
      resamples.length === 4 ? meansOfFour(own, resamples) : resamples.map(one),
  })
}

/** Each value is read once, and no sum waits for another. */
function meansOfFour(values: Float64Array, [a, b, c, d]: readonly ArrayLike<number>[]): number[] {
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
  let [totalA, totalB, totalC, totalD] = [0, 0, 0, 0]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    sumA += value * a![i]!
    totalA += a![i]!
    sumB += value * b![i]!
    totalB += b![i]!
    sumC += value * c![i]!
    totalC += c![i]!
    sumD += value * d![i]!
    totalD += d![i]!
  }
  return [sumA / totalA, sumB / totalB, sumC / totalC, sumD / totalD]
}

/**
 * scikit-learn's average precision: over thresholds from the highest score down, precision times the gain in recall.
 */
export function averagePrecision(scores: readonly number[], labels: readonly number[]): Statistic {
  const order = ascending(scores).reverse()
  return (counts) => {
    let positives = 0
    let found = 0
    let seen = 0
    let sum = 0
    for (let i = 0; i < labels.length; i++) if (labels[i] === 1) positives += counts[i] ?? 0
    for (let start = 0; start < order.length;) {
      let [end, gained] = [start, 0]
      while (end < order.length && scores[order[end] ?? 0] === scores[order[start] ?? 0]) {
        const item = order[end++] ?? 0
        seen += counts[item] ?? 0
        if (labels[item] === 1) gained += counts[item] ?? 0
      }
      found += gained
      if (gained > 0) sum += (found / seen) * (gained / positives)
      start = end
    }
    return positives === 0 ? NaN : sum
  }
}
