/** A sweep on the rows of a task that a choice may look at, and the score it is made by. */
import { fault, mean, type Result } from '#core'
import { type TaskInfo, type Validation, validationOf } from '#task/rows'
import { openDatasets } from './load-rows.ts'
import { requestSweep, type SweepOptions } from './sweep-request.ts'

export type SweepRest = Omit<SweepOptions, 'tasks' | 'representations'>

/** Validation rows of a task; undefined where only the rows of its test score exist. */
export async function validationFor(task: TaskInfo, options: SweepRest): Promise<Validation | undefined> {
  const sweep = requestSweep({ ...options, tasks: [task], representations: [] })
  return validationOf(sweep.asked(task), openDatasets(sweep))
}

/** The sweep of a validation: the same settings on its rows, with results in a separate folder. */
export function toValidationSweep(
  { asked }: Validation,
  options: SweepRest,
  folder: string,
): Omit<SweepOptions, 'representations'> {
  const { selections: _benchmark, skipped: _skipped, languages: _languages, ...rest } = options
  return {
    ...rest,
    tasks: [asked.task],
    splits: asked.splits,
    subsets: asked.subsets,
    outputFolder: folder,
    overwriteStrategy: 'only-missing',
  }
}

/** Mean of the main score over the validation subsets. Throws `task.empty` with the reason of a failure. */
export function validationScore({ task_name: task, scores = {}, strata }: Result, { asked, rule }: Validation): number {
  const parts = asked.splits.flatMap((split) =>
    (scores[split] ?? []).filter(({ hf_subset: subset }) => asked.subsets.includes(subset)),
  )
  const values = parts.flatMap(({ main_score: score }) => (score === null ? [] : [score]))
  if (strata.status === 'ok' && values.length > 0) return mean(values)
  throw fault('task.empty', {
    place: `${task} (${rule})`,
    what: `no score to choose by: ${strata.reason ?? 'the score is undefined'}`,
    hint: '--quality diagonal or row_mean needs none',
  })
}
