/**
 * Finished jobs, looked at again: does everything that they are made of – model, data, task files, versions – still give
 * what they left? The commands' own reuse decides, so that a job is as fresh as a single command would be.
 */
import { existsSync } from 'node:fs'
import { asFault, type FaultCode } from '#core'
import { awayModel } from '#experiment/open'
import { doneJobs } from '#experiment/workers'
import { revisionFolder } from '#result/ledger'
import { type JobPlaces, openModels, stands } from './do-job.ts'
import type { ExperimentJob, ExperimentPlan } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import { resultsFolder } from './score-jobs.ts'

export interface LookedAgain {
  /** Ids of jobs that are to be done again: what is still valid of them is reused. */
  readonly changed: readonly string[]
  /** Jobs that cannot be looked at from here and are left as they are, with why. */
  readonly unseen: readonly { readonly id: string; readonly what: string }[]
}

/** Nothing is asked of a model, and none is fetched for it. Throws `run.cancelled`. */
export async function lookAgain(
  experiment: Experiment,
  { jobs }: ExperimentPlan,
  places: JobPlaces,
): Promise<LookedAgain> {
  const models = await openModels(experiment, places)
  const [changed, unseen] = [[] as string[], [] as { id: string; what: string }[]]
  try {
    for (const job of await doneJobs(places.folder, jobs)) {
      places.signal.throwIfAborted()
      try {
        const away = await awayOf(experiment, job, places)
        if (away !== undefined) unseen.push({ id: job.id, what: away })
        else if (!(await stands(await models.of(job), experiment, job, places))) changed.push(job.id)
      } catch (error) {
        places.signal.throwIfAborted()
        const { code, message } = asFault(error, 'internal', job.id)
        // what fails for another reason would fail in a new folder too: it is done again, and says so
        if (isElsewhere(code)) unseen.push({ id: job.id, what: message })
        else changed.push(job.id)
      }
    }
    return { changed, unseen }
  } finally {
    await models.close()
  }
}

/** Of the network or of this machine, and nothing that the job is made of. */
function isElsewhere(code: FaultCode): boolean {
  return code.startsWith('hub.') || code.startsWith('engine.')
}

/**
 * Why a job is left as it is: its model lies on the hub alone, at the very commit that its results are of. Undefined
 * where it is to be looked at.
 */
async function awayOf(
  experiment: Experiment,
  { reference }: ExperimentJob,
  { folder, signal }: JobPlaces,
): Promise<string | undefined> {
  const label = await awayModel(reference, { signal })
  if (label === undefined || !existsSync(revisionFolder({ root: resultsFolder(experiment, folder), ...label })))
    return undefined
  return `${label.model} is not on this machine any more; on the hub it is the same`
}
