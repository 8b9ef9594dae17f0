/**
 * Checks finished jobs again: do all of their inputs – model, data, task files, versions – still give the output they
 * left? The commands' own reuse decides, so that a job is as up to date as a single command would be.
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
  /** Ids of jobs to run again; their still valid output is reused. */
  readonly changed: readonly string[]
  /** Jobs that cannot be checked from here and are left unchanged, with the reason. */
  readonly unseen: readonly { readonly id: string; readonly what: string }[]
}

/** Does not run or download a model. Throws `run.cancelled`. */
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
        else if (!(await stands(models, experiment, job, places))) changed.push(job.id)
      } catch (error) {
        places.signal.throwIfAborted()
        const { code, message } = asFault(error, 'internal', job.id)
        // a fault of another kind would occur in a new folder too: the job runs again and reports it
        if (isElsewhere(code)) unseen.push({ id: job.id, what: message })
        else changed.push(job.id)
      }
    }
    return { changed, unseen }
  } finally {
    await models.close()
  }
}

/** Faults of the network or of this machine, unrelated to the job's inputs. */
function isElsewhere(code: FaultCode): boolean {
  return code.startsWith('hub.') || code.startsWith('engine.')
}

/**
 * Why a job is left unchanged: its model is on the hub only, at the very commit of its results. Undefined where it
 * needs a check.
 */
async function awayOf(
  experiment: Experiment,
  { reference, server }: ExperimentJob,
  { folder, signal }: JobPlaces,
): Promise<string | undefined> {
  if (server !== undefined) return undefined
  const label = await awayModel(reference, { signal })
  if (label === undefined || !existsSync(revisionFolder({ root: resultsFolder(experiment, folder), ...label })))
    return undefined
  return `${label.model} is not on this machine any more; on the hub it is the same`
}
