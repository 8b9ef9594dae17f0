/** A stored result as the answer to a question: with the requested parts alone, and in the words of the question. */
import type { Result } from '#core'
import { scoreMeans } from '#result/ledger'
import type { TaskRequest } from '#task/rows'
import type { Job } from './jobs.ts'

/** Undefined where the job has no stored result to reuse. */
export function foundResult({ state, stored, settings }: Job, asked: TaskRequest): Result | undefined {
  if (state !== 'reused' || stored?.strata === undefined) return undefined
  const { strata } = stored
  // other settings of an aggregation may give the same mix: the answer names those that were asked for
  const own = settings['combination'] === undefined ? {} : { combination: settings['combination'] }
  return onlyRequested(
    { ...stored, strata: { ...strata, settings: { ...strata.settings, ...own } }, kg_co2_emissions: null },
    asked,
  )
}

/**
 * The requested splits and subsets of a stored result: means over others could not be compared with means over these.
 * Splits that the data lack are a matter of questions to several tasks.
 */
export function onlyRequested(result: Result, { task, splits, isLenient, subsets }: TaskRequest): Result {
  if (result.scores === undefined || task.protocol === 'AbsTaskAggregate') return result
  const parts = Object.entries(result.scores).filter(([split]) => splits.includes(split))
  const scores = Object.fromEntries(
    parts.map(([split, own]) => [split, own.filter(({ hf_subset: subset }) => subsets.includes(subset))]),
  )
  const { means, lacks: known = [], notices: stored = [], ...strata } = result.strata
  const lacks = isLenient ? known.filter((split) => splits.includes(split)) : []
  const notices = [...lacks.map((split) => `no split ${split}: left out, the other tasks may have it`), ...stored]
  return {
    ...result,
    scores,
    strata: {
      ...strata,
      ...(lacks.length === 0 ? {} : { lacks }),
      ...(notices.length === 0 ? {} : { notices }),
      ...(means === undefined ? {} : { means: scoreMeans(scores) }),
    },
  }
}
