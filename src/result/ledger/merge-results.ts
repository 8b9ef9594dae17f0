/** Merges new subsets into an existing result, as mteb's `TaskResult.merge` does. */
import { fault, type Result, type Scores } from '#core'
import type { StoredResult } from './document.ts'
import { versionRange } from './versions.ts'

/**
 * One result with the scores of both: splits and subsets in the order of `existing`, then new ones; where both have a
 * subset, `fresh` wins. Different versions become a range, times are summed, the later date stays. Throws
 * `result.invalid` unless both are the same task on the same data with the same fingerprint.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { mergeResults } from 'strata-lm/ledger'
 * import { evaluate } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const [result] = await evaluate(model, { tasks: ['./pairs.yaml'], outputFolder: 'out' })
 * if (result !== undefined) console.log(Object.keys(mergeResults(result, result).scores ?? {})) // → [ 'test' ]
 * await model.close()
 * ```
 */
export function mergeResults(existing: StoredResult, fresh: Result): Result {
  const same = (what: string, a: unknown, b: unknown): void => {
    if (a !== b)
      throw fault('result.invalid', {
        place: fresh.task_name,
        what: `results of different ${what} do not merge`,
        seen: a,
        wanted: b,
      })
  }
  same('tasks', existing.task_name, fresh.task_name)
  same('data revisions', existing.dataset_revision, fresh.dataset_revision)
  same('inputs', existing.strata?.fingerprint, fresh.strata.fingerprint)
  const scores = versioned(existing)
  for (const [split, subsets] of Object.entries(versioned(fresh))) {
    const merged = new Map((scores[split] ?? []).map((subset) => [subset.hf_subset, subset]))
    for (const subset of subsets) merged.set(subset.hf_subset, subset)
    scores[split] = [...merged.values()]
  }
  const versions = Object.values(scores).flatMap((subsets) => subsets.map((subset) => subset['mteb_version']))
  const version =
    versionRange(versions.filter((text): text is string => typeof text === 'string')) ?? fresh.mteb_version
  const dates = [existing.date, fresh.date].filter((date) => date !== undefined)
  const notices = [...new Set([...(existing.strata?.notices ?? []), ...(fresh.strata.notices ?? [])])]
  const times = [existing.evaluation_time, fresh.evaluation_time].filter((time) => time !== undefined)
  return {
    ...fresh,
    ...(version === undefined ? {} : { mteb_version: version }),
    scores,
    ...(times.length === 0 ? {} : { evaluation_time: sum(times) }),
    ...(dates.length === 0 ? {} : { date: Math.max(...dates) }),
    strata: {
      ...fresh.strata,
      seconds: (existing.strata?.seconds ?? 0) + fresh.strata.seconds,
      ...(notices.length === 0 ? {} : { notices }),
    },
  }
}

/** Scores with the version next to each subset, which mteb's loader fills in the same way. */
function versioned({ scores = {}, mteb_version: version }: StoredResult): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, subsets]) => [
      split,
      subsets.map((subset) =>
        version === undefined || 'mteb_version' in subset ? subset : { ...subset, mteb_version: version },
      ),
    ]),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
