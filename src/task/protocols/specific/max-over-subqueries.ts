/**
 * Queries that are parts of one (`<query>_<part>`): every document by its best similarity to any of them
 * (MindSmallReranking).
 */
import { compareCodePoints } from '#core'
import { type Ranking, scoreRankings } from '../rankings.ts'
import { type Answers, grouped, ofQuery, type SpecificScore } from './answers.ts'

export const maxOverSubqueries: SpecificScore = (answers) => {
  const whole = wholeQueries(answers)
  const { metrics } = scoreRankings(
    whole.map(({ ranking }) => ranking),
    whole.map(({ grades }) => grades),
    answers.cutoffs,
    answers.profile,
  )
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`max_over_subqueries_${name}`, value]))
}

interface WholeQuery {
  readonly id: string
  readonly ranking: Ranking
  /** Grades of its last part: they are the same for all. */
  readonly grades: ReadonlyMap<string, number>
}

export function wholeQueries(answers: Answers): WholeQuery[] {
  const groups = grouped(answers.qrels.keys(), (query) => query.slice(0, Math.max(0, query.lastIndexOf('_'))))
  return [...groups].map(([id, parts]) => {
    const best = new Map<string, number>()
    for (const part of parts) {
      const { ids, scores } = ofQuery(answers.rankings, part, answers)
      ids.forEach((id, i) => best.set(id, Math.max(best.get(id) ?? -Infinity, scores[i]!)))
    }
    const order = [...best].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareCodePoints(b, a))
    return {
      id,
      ranking: { ids: order.map(([id]) => id), scores: Float32Array.from(order, ([, score]) => score) },
      grades: ofQuery(answers.qrels, parts.at(-1) ?? '', answers),
    }
  })
}
