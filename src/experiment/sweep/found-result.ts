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
 */
export function onlyRequested(result: Result, { task, splits, subsets }: TaskRequest): Result {
  if (result.scores === undefined || task.protocol === 'AbsTaskAggregate') return result
  const parts = Object.entries(result.scores).filter(([split]) => splits.includes(split))
  const scores = Object.fromEntries(
    parts.map(([split, own]) => [split, own.filter(({ hf_subset: subset }) => subsets.includes(subset))]),
  )
  const { means } = result.strata
  return {
    ...result,
    scores,
    strata: { ...result.strata, ...(means === undefined ? {} : { means: scoreMeans(scores) }) },
  }
}
