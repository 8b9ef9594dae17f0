/**
 * Reranking as 1.39.7 scores it: average precision of each query's candidates, equal similarities taken together (mteb
 * 1.x `RerankingEvaluator`).
 */
import { fault, mean } from '#core'
import { abstentionArea, confidences, ordered } from './abstention.ts'
import { averagePrecision } from './confusion.ts'
import type { PartScores } from './part-scores.ts'
import type { Grades, Ranking } from './rankings.ts'

/** What 1.39.7 calls the main scores of 2.x. Tasks with other ones it does not have, or scores as retrieval. */
export const olderNames: Readonly<Record<string, string>> = {
  map_at_1000: 'map',
  max_over_subqueries_map_at_1000: 'map',
  mrr_at_10: 'mrr',
  recall_at_10: 'recall_at_10',
}

/** Ranks that the reciprocal rank and recall look at. */
const depth = 10

export interface RankedQuery {
  readonly id: string
  readonly ranking: Ranking
  readonly grades: Grades
}

/**
 * Queries without a relevant candidate, or without another one, are left out. The main score stands under its names in
 * both versions.
 */
export function scoreCandidates(queries: readonly RankedQuery[], mainScore: string, place: string): PartScores {
  const rated = queries.flatMap(({ id, ranking, grades }) => {
    const relevant = ranking.ids.map((document) => (grades.get(document) ?? 0) > 0)
    return relevant.includes(true) && relevant.includes(false) ? [{ id, scores: ranking.scores, relevant }] : []
  })
  if (rated.length === 0)
    throw fault('task.value', {
      place,
      what: 'no query has both a relevant candidate and another one',
      seen: queries.length,
    })
  const measures = {
    map: Float64Array.from(rated, ({ relevant, scores }) => averagePrecision(relevant, scores)),
    mrr: Float64Array.from(rated, ({ relevant }) => reciprocalRank(relevant)),
    [`recall_at_${depth}`]: Float64Array.from(
      rated,
      ({ relevant }) => count(relevant.slice(0, depth)) / count(relevant),
    ),
  }
  const confidence = confidences(rated.map(({ scores }) => scores))
  const metrics: Record<string, number | null> = {}
  for (const [name, values] of Object.entries(measures)) metrics[name] = mean(values)
  for (const [name, values] of Object.entries(measures))
    for (const kind of ['max', 'std', 'diff1'] as const)
      metrics[`nAUC_${name}_${kind}`] = abstentionArea(confidence[kind], ordered(values), 'mteb-1')
  return {
    metrics: { ...metrics, [mainScore]: metrics[olderNames[mainScore] ?? mainScore] ?? null },
    columns: { query: rated.map(({ id }) => id), map: measures.map },
  }
}

function reciprocalRank(relevant: readonly boolean[]): number {
  const at = relevant.slice(0, depth).indexOf(true)
  return at < 0 ? 0 : 1 / (at + 1)
}

function count(values: readonly boolean[]): number {
  return values.filter(Boolean).length
}
