/** What the scores of single tasks are made of: the rankings of a retrieval part and their measures. */
import { fault } from '#core'
import type { Profile } from '#task/rows'
import type { Grades, Ranking } from '../rankings.ts'
import type { RankingScores } from '../trec.ts'

export interface Answers {
  /** For messages. */
  readonly place: string
  readonly profile: Profile
  readonly cutoffs: readonly number[]
  /** Query → document → grade. */
  readonly qrels: ReadonlyMap<string, Grades>
  /** In the order of the queries. */
  readonly rankings: ReadonlyMap<string, Ranking>
  readonly measures: ReadonlyMap<string, RankingScores>
  /** Query without `-og` or `-changed` → documents whose relevance the changed instruction changes. */
  readonly changed: ReadonlyMap<string, readonly string[]> | undefined
}

/** Fields that a task adds to those of retrieval. */
export type SpecificScore = (answers: Answers) => Readonly<Record<string, unknown>>

/**
 * What belongs to a query; a query that was judged but not asked is a `task.value` fault, as its group has no score
 * then.
 */
export function ofQuery<Value>(values: ReadonlyMap<string, Value>, query: string, { place }: Answers): Value {
  const value = values.get(query)
  if (value === undefined)
    throw fault('task.value', { place, what: 'a query that belongs to a group is not asked', seen: query })
  return value
}

/** A measure of one query at a cutoff. */
export function atCutoff(
  { measures, cutoffs, place }: Answers,
  query: string,
  measure: keyof RankingScores,
  cutoff: number,
): number {
  const value = measures.get(query)?.[measure][cutoffs.indexOf(cutoff)]
  if (value === undefined)
    throw fault('task.value', {
      place,
      what: `no ${measure} at ${cutoff} of a query`,
      seen: query,
      wanted: { cutoffs },
    })
  return value
}

/** Queries in groups, in order of first appearance. */
export function grouped(queries: Iterable<string>, groupOf: (query: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const query of queries) {
    const known = groups.get(groupOf(query))
    if (known) known.push(query)
    else groups.set(groupOf(query), [query])
  }
  return groups
}

/** Text before the first underscore. */
export function firstPart(query: string): string {
  return query.split('_', 1)[0] ?? ''
}
