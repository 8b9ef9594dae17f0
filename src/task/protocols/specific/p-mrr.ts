/**
 * Does a model follow a changed instruction? p-MRR (Weller et al. 2024, FollowIR, arXiv 2403.15246) and the measures
 * before and after the change.
 */
import { compensatedMean, fault } from '#core'
import type { Profile } from '#task/rows'
import { type Ranking, scoreRankings } from '../rankings.ts'
import type { Answers, SpecificScore } from './answers.ts'

export const pMrr: SpecificScore = (answers) => {
  const isOriginal = (query: string): boolean => query.endsWith('-og')
  const score = meanShift(answers)
  const [og, changed] = [runScores(answers, isOriginal), runScores(answers, (query) => !isOriginal(query))]
  return fields(answers.profile, score, og, changed)
}

type Scores = Record<string, number | null>

function fields(profile: Profile, score: number | null, og: Scores, changed: Scores): Record<string, unknown> {
  switch (profile) {
    case 'mteb-2':
      return { 'p-MRR': score, og, changed }
    case 'mteb-1':
      return { 'p-MRR': score, individual: { original: olderFields(og), changed: olderFields(changed) } }
    default:
      return profile satisfies never
  }
}

/** 1.39.7 keeps the abstention areas of the reciprocal rank only, as `naucs`, and puts them before it. */
function olderFields(scores: Scores): Scores {
  const entries = Object.entries(scores)
  const named = (pattern: RegExp, replacement: string): [string, number | null][] =>
    entries.flatMap(([name, value]) =>
      pattern.test(name) ? [[name.replace(pattern, replacement), value] as [string, number | null]] : [],
    )
  return Object.fromEntries([
    ...named(/^(ndcg|map|recall|precision)_at_/, '$1_at_'),
    ...named(/^nauc_mrr_at_/, 'naucs_at_'),
    ...named(/^mrr_at_/, 'mrr_at_'),
  ])
}

function runScores({ rankings, qrels, cutoffs, profile, place }: Answers, belongs: (query: string) => boolean): Scores {
  const run = [...rankings].filter(([query]) => belongs(query))
  if (run.length === 0)
    throw fault('task.value', {
      place,
      what: 'no query with the original instruction (-og), or none with the changed one',
      seen: [...rankings.keys()].slice(0, 4),
    })
  return scoreRankings(
    run.map(([, ranking]) => ranking),
    run.map(([query]) => qrels.get(query) ?? new Map<string, number>()),
    cutoffs,
    profile,
  ).metrics
}

/** Mean over queries of the mean over their documents; null when no query has both runs. */
function meanShift({ changed, rankings, place }: Answers): number | null {
  if (changed === undefined)
    throw fault('task.value', { place, what: 'the data set does not say which judgements changed (qrel_diff)' })
  const perQuery = [...changed].flatMap(([query, documents]) => {
    const [before, after] = [rankings.get(`${query}-og`), rankings.get(`${query}-changed`)]
    if (before === undefined || after === undefined || documents.length === 0) return []
    return [compensatedMean(documents.map((document) => shift(rankOf(before, document), rankOf(after, document))))]
  })
  return perQuery.length === 0 ? null : compensatedMean(perQuery)
}

/** Negative when the document rose. */
function shift(before: number, after: number): number {
  return before >= after ? after / before - 1 : 1 - before / after
}

/** From 1; a document that is not there comes after the last. */
function rankOf({ ids }: Ranking, document: string): number {
  const at = ids.indexOf(document)
  return at < 0 ? ids.length + 1 : at + 1
}
