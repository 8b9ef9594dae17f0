/** Measures of many rankings, under mteb's names. */
import { compensatedMean } from '#core'
import { roundHalfEven } from '#platform/python'
import type { Profile } from '#task/rows'
import { abstentionArea, confidences, ordered } from './abstention.ts'
import { rankingScores, type RankingScores } from './trec.ts'

/** Documents of one query, best first. */
export interface Ranking {
  readonly ids: readonly string[]
  readonly scores: Float32Array
}

export type Measure = keyof RankingScores
export type Grades = ReadonlyMap<string, number>

interface RankingsScores {
  /** In the order of the rankings. */
  readonly perQuery: readonly RankingScores[]
  readonly metrics: Record<string, number | null>
}

/** `grades[i]` holds the judged documents of `rankings[i]`. */
export function scoreRankings(
  rankings: Iterable<Ranking>,
  grades: readonly Grades[],
  cutoffs: readonly number[],
  profile: Profile,
): RankingsScores {
  const perQuery: RankingScores[] = []
  const similarities: Float32Array[] = []
  for (const { ids, scores } of rankings) {
    perQuery.push(rankingScores(ids, grades[perQuery.length] ?? new Map<string, number>(), cutoffs))
    similarities.push(scores)
  }
  return { perQuery, metrics: summary(perQuery, similarities, cutoffs, profile) }
}

/**
 * Fields in mteb's order: five measures, the reciprocal rank, abstention areas; 2.x adds accuracy and hit rates. All
 * but the last two kinds are rounded to 5 decimals.
 */
function summary(
  perQuery: readonly RankingScores[],
  similarities: readonly Float32Array[],
  cutoffs: readonly number[],
  profile: Profile,
): Record<string, number | null> {
  const metrics: Record<string, number | null> = {}
  const averages = (measure: Measure, digits?: number): void =>
    cutoffs.forEach((cutoff, c) => {
      const average = compensatedMean(perQuery.map((scores) => scores[measure][c]!))
      metrics[`${measure}_at_${cutoff}`] = digits === undefined ? average : roundHalfEven(average, digits)
    })
  for (const measure of ['ndcg', 'map', 'recall'] as const) averages(measure, 5)
  if (profile === 'mteb-2') metrics['accuracy'] = metrics['recall_at_1'] ?? null
  averages('precision', 5)
  averages('mrr')

  const confidence = confidences(similarities)
  for (const measure of ['ndcg', 'map', 'recall', 'precision', 'mrr'] as const) {
    cutoffs.forEach((cutoff, c) => {
      const values = ordered(Float64Array.from(perQuery, (scores) => scores[measure][c]!))
      for (const kind of ['max', 'std', 'diff1'] as const)
        metrics[`nauc_${measure}_at_${cutoff}_${kind}`] = abstentionArea(confidence[kind], values, profile)
    })
  }
  if (profile === 'mteb-2') averages('hit_rate', 5)
  return metrics
}
