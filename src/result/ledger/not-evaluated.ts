/** Results of other programs that read as finished, and in which nothing was evaluated. */
import type { Result } from '#core'
import type { StoredResult } from './document.ts'
import type { ResultPlace } from './paths.ts'

/** No task loads, encodes and scores within a millisecond. */
const leastSeconds = 0.001

/**
 * Why a result is a failure, undefined where it is none: no scores (mteb 1.x over an empty choice of subsets), only NaN,
 * or a wall time in which nothing can have run. A time of exactly 0 was not recorded; Strata's own results say
 * themselves whether they failed.
 */
export function whyNotEvaluated({ scores = {}, evaluation_time: seconds, strata }: StoredResult): string | undefined {
  if (strata !== undefined) return undefined
  const parts = Object.values(scores).flat()
  const time = seconds === undefined ? '' : ` in ${Number((1000 * seconds).toPrecision(2))} ms`
  if (parts.length === 0) return `no scores: nothing was evaluated${time}`
  if (parts.every(({ main_score: score }) => score === null)) return 'every main score is NaN'
  if (seconds !== undefined && seconds > 0 && seconds < leastSeconds) return `nothing can have been evaluated${time}`
  return undefined
}

/** The failure that such a result is, with the scores it has. */
export function toFailure(
  { task_name, dataset_revision, mteb_version, scores = {}, evaluation_time, date }: StoredResult,
  { model, revision, representation }: ResultPlace,
  reason: string,
): Result {
  return {
    task_name,
    dataset_revision,
    mteb_version,
    evaluation_time,
    date,
    ...(Object.keys(scores).length === 0 ? {} : { scores }),
    strata: {
      status: 'failed',
      code: 'result.invalid',
      reason,
      model,
      revision,
      representation,
      profile: mteb_version?.startsWith('1.') === true ? 'mteb-1' : 'mteb-2',
      settings: {},
      fingerprint: '',
      // another program's
      version: '',
      seconds: evaluation_time ?? 0,
    },
  }
}
