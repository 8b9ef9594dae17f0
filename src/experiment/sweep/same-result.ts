/** The result of a representation with the same vectors as another one: the other's result, under its own name. */
import type { Result } from '#core'
import type { CombinationRepresentation } from '#representation/layers'
import type { Model } from '#model/checkpoint'
import { itemsPath, type ResultPlace, writeResult } from '#result/ledger'
import type { TaskInfo } from '#task/rows'
import { requestSweep, type SweepOptions } from './sweep-request.ts'
import { foundResult } from './found-result.ts'
import { planJobs } from './jobs.ts'

/**
 * Written next to the other one, with its single items, where the overwrite strategy allows it; a failure is not
 * shared, only reported. Throws `file.write`.
 */
export async function sameResult(
  model: Model,
  task: TaskInfo,
  representation: CombinationRepresentation,
  { result, ...options }: Omit<SweepOptions, 'tasks' | 'representations'> & { readonly result: Result },
): Promise<Result> {
  const sweep = requestSweep({ ...options, tasks: [task], representations: [representation] })
  const asked = sweep.asked(task)
  const [job] = await planJobs(model, asked, sweep)
  if (job === undefined) return result
  const found = foundResult(job, asked)
  if (found !== undefined) return found
  const { strata } = result
  const own: Result = {
    ...result,
    strata: { ...strata, representation: job.representation, settings: job.settings, fingerprint: job.fingerprint },
  }
  if (strata.status === 'failed' || job.state !== 'run') return own
  const from: ResultPlace = {
    root: sweep.outputFolder,
    model: strata.model,
    revision: strata.revision,
    representation: strata.representation,
  }
  const { parameters, width } = await model.facts()
  await writeResult(sweep.outputFolder, own, {
    itemsFrom: itemsPath(from, task.name),
    model: { parameters, width, maxTokens: model.settings.maxLength },
  })
  return own
}
