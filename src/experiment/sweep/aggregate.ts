/** The score of an aggregate task, from the results of its members (mteb `AbsTaskAggregate.combine_task_results`). */
import { fault, mean, meanOfAll, type Result, type Scores } from '#core'
import { findFailure, findResult, type ResultPlace, type StoredResult } from '#result/ledger'
import type { TaskInfo } from '#task/rows'

/** A member, and the place and fingerprint of its result: a setting that moves only some members names only those. */
export interface Member {
  readonly task: TaskInfo
  readonly fingerprint: string
  readonly place: ResultPlace
}

/**
 * Scores and evaluation time of an aggregate, from the members' results. Throws `task.empty` with the
 * names and reasons of members that have no score, `task.split` when a member was not scored on a split of the
 * aggregate.
 */
export async function aggregated(
  task: TaskInfo,
  members: readonly Member[],
  splits: readonly string[],
): Promise<Required<Pick<Result, 'scores' | 'evaluation_time'>>> {
  const results: StoredResult[] = []
  const lost: string[] = []
  for (const { task: member, fingerprint, place } of members) {
    const result = (await findResult(place, member.name))?.result
    if (result?.strata?.status === 'ok' && result.strata.fingerprint === fingerprint) results.push(result)
    else
      lost.push(
        `${member.name} (${(await findFailure(place, member.name))?.result?.strata?.reason ?? 'no result for these inputs'})`,
      )
  }
  if (lost.length > 0) {
    const named = `${lost.slice(0, 3).join('; ')}${lost.length > 3 ? '; …' : ''}`
    throw fault('task.empty', {
      place: task.name,
      what: `${lost.length} of its ${members.length} tasks have no score: ${named}`,
    })
  }
  return {
    scores: aggregateScores(task, results, splits),
    evaluation_time: results.reduce((sum, { evaluation_time: seconds }) => sum + (seconds ?? 0), 0),
  }
}

/** Per split: the mean over members of their mean over the subsets in its languages. */
export function aggregateScores(
  task: TaskInfo,
  results: readonly Pick<Result, 'task_name' | 'scores'>[],
  splits = task.splits,
): Scores {
  const languages = [...new Set(Object.values(task.subsets).flat())]
  const codes = new Set(languages.map(codeOf))
  return Object.fromEntries(
    splits.map((split) => {
      const scores = results.map((result) => memberScore(result, split, codes, task.name))
      const score = mean(scores)
      return [split, [{ [task.mainScore]: score, main_score: score, hf_subset: 'default', languages }]]
    }),
  )
}

function memberScore(
  { task_name: name, scores = {} }: Pick<Result, 'task_name' | 'scores'>,
  split: string,
  codes: ReadonlySet<string>,
  place: string,
): number {
  const entries = scores[split]
  if (entries === undefined) {
    throw fault('task.split', {
      place: `${place} › ${name}`,
      what: 'a member has no score on this split',
      seen: Object.keys(scores),
      wanted: split,
    })
  }
  const own = entries
    .filter(({ languages }) => languages.some((language) => codes.has(codeOf(language))))
    .map(({ main_score: score }) => score)
  const score = meanOfAll(own)
  if (score === null)
    throw fault('task.value', { place: `${place} › ${name}`, what: 'a member has no main score', seen: own })
  return score
}

/** `eng` of `eng-Latn`. */
function codeOf(language: string): string {
  return language.split('-', 1)[0] ?? ''
}
