/** Scores of a part as functions of its items, each item counted as often as a resample drew it. */

/** Columns of one (split, subset), rows in the data's order. */
export type ItemColumns = Readonly<Record<string, readonly unknown[]>>

/** The statistic of a resample; `counts[i]` says how often item i was drawn. NaN where it is undefined. */
export type Statistic = (counts: ArrayLike<number>) => number

/** A stored score and one recomputed from its items may differ by their rounding, and by float32 columns. */
const tolerance = 1e-4

/**
 * The statistic whose value over all items, once each, is the part's main score: the mean of a column, the rank correlation of `cosine` and `gold`, the
 * average precision of `cosine` for `label`. Undefined where the items do not make up the score.
 */
export function statisticOf(items: ItemColumns, mainScore: number): { name: string; statistic: Statistic } | undefined {
  const numeric = Object.entries(items).filter(
    ([, values]) => values.length > 0 && values.every((value) => typeof value === 'number' && Number.isFinite(value)),
  )
  const columns = Object.fromEntries(numeric) as Record<string, number[]>
  const { cosine, gold, label } = columns
  const candidates = [
    ...(cosine && gold ? [{ name: 'rank correlation', statistic: rankCorrelation(cosine, gold) }] : []),
    ...(cosine && label ? [{ name: 'average precision', statistic: averagePrecision(cosine, label) }] : []),
    ...Object.entries(columns).map(([name, values]) => ({ name: `mean of ${name}`, statistic: meanOf(values) })),
  ]
  return candidates.find(({ statistic }) => {
    const once = new Uint8Array(numeric[0]?.[1].length ?? 0).fill(1)
    return Math.abs(statistic(once) - mainScore) <= tolerance
  })
}

export function meanOf(values: readonly number[]): Statistic {
  return (counts) => {
    let [sum, total] = [0, 0]
    for (let i = 0; i < values.length; i++) {
      sum += (values[i] ?? 0) * (counts[i] ?? 0)
      total += counts[i] ?? 0
    }
    return sum / total
  }
}

/** Spearman's correlation with average ranks; the order of the values is found once for all resamples. */
export function rankCorrelation(x: readonly number[], y: readonly number[]): Statistic {
  const [ranksX, ranksY] = [weightedRanks(x), weightedRanks(y)]
  return (counts) => {
    const [a, b] = [ranksX(counts), ranksY(counts)]
    let [n, sumA, sumB] = [0, 0, 0]
    for (let i = 0; i < x.length; i++) {
      const count = counts[i] ?? 0
      n += count
      sumA += count * (a[i] ?? 0)
      sumB += count * (b[i] ?? 0)
    }
    const [meanA, meanB] = [sumA / n, sumB / n]
    let [ab, aa, bb] = [0, 0, 0]
    for (let i = 0; i < x.length; i++) {
      const [count, da, db] = [counts[i] ?? 0, (a[i] ?? 0) - meanA, (b[i] ?? 0) - meanB]
      ab += count * da * db
      aa += count * da * da
      bb += count * db * db
    }
    return ab / Math.sqrt(aa * bb)
  }
}

/** Items in ascending order; equal values of a resample share the mean of their ranks. */
function weightedRanks(values: readonly number[]): (counts: ArrayLike<number>) => Float64Array {
  const order = sorted(values)
  return (counts) => {
    const ranks = new Float64Array(values.length)
    let before = 0
    for (let start = 0; start < order.length;) {
      let [end, tied] = [start, 0]
      while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) tied += counts[order[end++] ?? 0] ?? 0
      for (let k = start; k < end; k++) ranks[order[k] ?? 0] = before + (tied + 1) / 2
      before += tied
      start = end
    }
    return ranks
  }
}

/** scikit-learn's average precision: over thresholds from the highest score down, precision times the gain in recall. */
export function averagePrecision(scores: readonly number[], labels: readonly number[]): Statistic {
  const order = sorted(scores).reverse()
  return (counts) => {
    let [positives, found, seen, sum] = [0, 0, 0, 0]
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
