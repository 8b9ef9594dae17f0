/** Scores of a part as functions of its items, each item weighted by the number of times a resample drew it. */

/** Columns of one (split, subset), rows in the data's order. */
export type ItemColumns = Readonly<Record<string, readonly unknown[]>>

/**
 * The statistic of a resample; `counts[i]` is the number of times item i was drawn. NaN where it is undefined. `counts`
 * is never modified afterwards: values that depend on it alone are cached.
 */
export type Statistic = (counts: ArrayLike<number>) => number

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
  return (counts) => {
    let [sum, total] = [0, 0]
    for (let i = 0; i < own.length; i++) {
      sum += own[i]! * counts[i]!
      total += counts[i]!
    }
    return sum / total
  }
}

/**
 * Spearman's correlation with average ranks; the order of the values is computed once for all resamples, and the
 * weighted ranks of a resample of `y` once for all statistics that share the array.
 */
export function rankCorrelation(x: readonly number[], y: readonly number[]): Statistic {
  const { order, ends } = runsOf(x)
  const ranksY = weightedRanks(y)
  return (counts) => {
    const { weighted, squares } = ranksY(counts)
    // read from an array they would stay tagged in this loop, at two and a half times the time
    let before = 0
    let across = 0
    let own = 0
    let tied = 0
    let others = 0
    for (let at = 0; at < order.length; at++) {
      const item = order[at]!
      tied += counts[item]!
      others += weighted[item]!
      if (ends[at] !== at + 1) continue
      const rank = before + (tied + 1) / 2
      across += rank * others
      own += tied * rank * rank
      before += tied
      tied = others = 0
    }
    // ranks are 1 … n, with or without ties; they are multiples of a half, and all sums are exact up to 100,000 items
    const means = (before * (before + 1) ** 2) / 4
    return (across - means) / Math.sqrt((own - means) * (squares - means))
  }
}

interface Runs {
  readonly order: Int32Array
  /** For each position in the order, the end of the run of equal values that begins there. */
  readonly ends: Int32Array
}

function runsOf(values: readonly number[]): Runs {
  const order = Int32Array.from(sorted(values))
  const ends = new Int32Array(order.length)
  for (let at = order.length - 1; at >= 0; at--)
    ends[at] = at + 1 < order.length && values[order[at + 1]!] === values[order[at]!] ? ends[at + 1]! : at + 1
  return { order, ends }
}

/**
 * Ranks on a resample, these times the counts, and the sum of their squares times the counts. Overwritten by the next
 * resample.
 */
interface WeightedRanks {
  readonly ranks: Float64Array
  readonly weighted: Float64Array
  readonly squares: number
}

const known = new WeakMap<readonly number[], (counts: ArrayLike<number>) => WeightedRanks>()

/** Ties of a resample share their mean rank. */
function weightedRanks(values: readonly number[]): (counts: ArrayLike<number>) => WeightedRanks {
  const found = known.get(values) ?? ranking(values)
  known.set(values, found)
  return found
}

function ranking(values: readonly number[]): (counts: ArrayLike<number>) => WeightedRanks {
  const { order, ends } = runsOf(values)
  const [ranks, weighted] = [new Float64Array(values.length), new Float64Array(values.length)]
  let last: { readonly of: ArrayLike<number>; readonly found: WeightedRanks } | undefined
  return (counts) => {
    if (last?.of === counts) return last.found
    let before = 0
    let squares = 0
    for (let start = 0; start < order.length;) {
      const end = ends[start]!
      let tied = 0
      for (let k = start; k < end; k++) tied += counts[order[k]!]!
      const rank = before + (tied + 1) / 2
      for (let k = start; k < end; k++) {
        const item = order[k]!
        ranks[item] = rank
        weighted[item] = rank * counts[item]!
      }
      squares += tied * rank * rank
      before += tied
      start = end
    }
    last = { of: counts, found: { ranks, weighted, squares } }
    return last.found
  }
}

/**
 * scikit-learn's average precision: over thresholds from the highest score down, precision times the gain in recall.
 */
export function averagePrecision(scores: readonly number[], labels: readonly number[]): Statistic {
  const order = sorted(scores).reverse()
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

function sorted(values: readonly number[]): number[] {
  return values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
}
