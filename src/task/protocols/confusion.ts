/**
 * Scores of predicted against true classes, as scikit-learn's `precision_recall_fscore_support` and
 * `average_precision_score` define them.
 */

export interface ClassScores {
  readonly accuracy: number
  readonly f1: number
  readonly f1_weighted: number
  readonly precision: number
  readonly precision_weighted: number
  readonly recall: number
  readonly recall_weighted: number
}

/**
 * Macro means run over the classes that occur in either list; a term without a denominator counts 0. Classes are 0 …
 * classes−1.
 */
export function classScores(truth: ArrayLike<number>, predicted: ArrayLike<number>, classes: number): ClassScores {
  const [hits, support, claims] = [new Float64Array(classes), new Float64Array(classes), new Float64Array(classes)]
  for (let i = 0; i < truth.length; i++) {
    support[truth[i]!]! += 1
    claims[predicted[i]!]! += 1
    if (truth[i] === predicted[i]) hits[truth[i]!]! += 1
  }
  const present = Array.from({ length: classes }, (_, k) => k).filter((k) => support[k]! + claims[k]! > 0)
  const ratio = (of: number, to: number): number => (to === 0 ? 0 : of / to)
  const precision = (k: number): number => ratio(hits[k]!, claims[k]!)
  const recall = (k: number): number => ratio(hits[k]!, support[k]!)
  const f1 = (k: number): number => ratio(2 * hits[k]!, support[k]! + claims[k]!)
  const macro = (score: (k: number) => number): number => present.reduce((sum, k) => sum + score(k), 0) / present.length
  const weighted = (score: (k: number) => number): number =>
    present.reduce((sum, k) => sum + support[k]! * score(k), 0) / truth.length
  return {
    accuracy: hits.reduce((sum, count) => sum + count, 0) / truth.length,
    f1: macro(f1),
    f1_weighted: weighted(f1),
    precision: macro(precision),
    precision_weighted: weighted(precision),
    recall: macro(recall),
    recall_weighted: weighted(recall),
  }
}

/** Area under precision over recall by steps, equal scores taken together; 0 when nothing is positive. */
export function averagePrecision(positive: readonly boolean[], scores: ArrayLike<number>): number {
  const order = positive.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
  const total = positive.reduce((sum, is) => sum + Number(is), 0)
  if (total === 0) return 0
  let [area, found, recall] = [0, 0, 0]
  order.forEach((row, i) => {
    if (positive[row]) found++
    const next = order[i + 1]
    if (next !== undefined && scores[next] === scores[row]) return
    area += (found / total - recall) * (found / (i + 1))
    recall = found / total
  })
  return area
}
