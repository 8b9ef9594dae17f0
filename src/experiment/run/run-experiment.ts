/** Runs the jobs of an experiment in this process, possibly alongside others. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '#core'
import { gatherTables } from '#experiment/aggregate'
import { planSweep, type Plan } from '#experiment/sweep'
import { work, type WorkOptions, type WorkSummary } from '#experiment/workers'
import { isObject, parseJson } from '#files/formats'
import { writeWhole } from '#platform/disk'
import { mixesMemory, tablesFolder } from './aggregate-jobs.ts'
import { doneBy, type JobPlaces, openJob, openModels, openSecond } from './do-job.ts'
import type { ExperimentJob, ExperimentPlan } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import { baselineReference, searchedLayers } from './search-jobs.ts'
import { resultsFolder, findRepresentations, toSweep } from './score-jobs.ts'

export type RunExperimentOptions = Omit<WorkOptions, 'folder'> & Omit<JobPlaces, 'signal'>

const planName = 'plan.json'

/** Stores the request next to its results: the file as it was, and the jobs. Throws `file.write`. */
export async function recordExperiment(
  experiment: Experiment,
  { jobs }: ExperimentPlan,
  folder: string,
): Promise<void> {
  await writeWhole(join(folder, 'experiment.yaml'), experiment.text)
  await writeWhole(
    join(folder, planName),
    `${JSON.stringify({ name: experiment.name, results: resultsFolder(experiment, folder), jobs }, undefined, 2)}\n`,
  )
}

/** The plan next to the results of a run. */
export interface RecordedPlan extends ExperimentPlan {
  /** Folder of its results, as the run named it. */
  readonly results: string
}

/** Undefined for a folder without a plan, and for a file that is none. */
export async function readRecordedPlan(folder: string): Promise<RecordedPlan | undefined> {
  const path = join(folder, planName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const value = planIn(text, path)
  if (!isObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['jobs'])) return undefined
  const { name, results, jobs } = value
  return { name, results: typeof results === 'string' ? results : '', jobs: jobs.filter(isJob) }
}

function planIn(text: string, path: string): unknown {
  try {
    return parseJson(text, path)
  } catch {
    return undefined
  }
}

function isJob(value: unknown): value is ExperimentPlan['jobs'][number] {
  return (
    isObject(value) &&
    ['id', 'group', 'kind', 'reference'].every((name) => typeof value[name] === 'string') &&
    typeof value['seconds'] === 'number' &&
    Array.isArray(value['tasks'])
  )
}

/**
 * Runs the jobs of an experiment that are not finished; several processes may run the same experiment in the same
 * folder, each under its own `worker` name. Failures are results: the other jobs continue. Throws `file.write`,
 * `usage.value` for an invalid `worker` name.
 *
 * @example
 * ```ts
 * import { planExperiment, readExperiment, runExperiment } from 'strata-lm'
 *
 * const experiment = await readExperiment('experiment.yaml')
 * const plan = await planExperiment(experiment)
 * const options = { folder: 'out', cache: 'cache', worker: 'w1', model: {} }
 * console.log(await runExperiment(experiment, plan, options)) // → { done: 1, failed: 0, stopped: false }
 * ```
 */
export async function runExperiment(
  experiment: Experiment,
  { jobs }: ExperimentPlan,
  { folder, model: reading, cache, ...options }: RunExperimentOptions,
): Promise<WorkSummary> {
  const models = await openModels(experiment, { cache, model: reading })
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const tables = tablesFolder(experiment, folder)
  try {
    const summary = await work(
      jobs,
      async ({ id }, signal) => {
        const job = byId.get(id)
        if (job === undefined) throw fault('internal', { place: id, what: 'no such job' })
        return doneBy(models, experiment, job, { folder, model: reading, cache, signal })
      },
      { folder, ...options },
    )
    // two processes that finish together may have read the folder before the other's part was there
    if (tables !== undefined) await gatherTables(tables)
    return summary
  } finally {
    await models.close()
  }
}

/** Cost of the scores of a model, task by task; nothing is downloaded. */
export async function experimentCosts(
  experiment: Experiment,
  jobs: readonly ExperimentJob[],
  { folder, model: reading }: Pick<RunExperimentOptions, 'folder' | 'model'>,
): Promise<Plan | undefined> {
  const [job] = jobs
  if (job === undefined) return undefined
  const isSearch = job.kind === 'search'
  const reference = isSearch ? await baselineReference(experiment, job) : job.reference
  const model = await openJob(experiment, { ...job, reference }, reading)
  let second: Awaited<ReturnType<typeof openSecond>>
  try {
    // the harness and probes alone need a model, too
    if (experiment.found.tasks.length === 0) return undefined
    second = await openSecond(experiment, reading)
    const tasks = jobs.filter(({ kind }) => kind === 'scores' || kind === 'search').flatMap((one) => one.tasks)
    const plan = await planSweep(model, {
      ...toSweep(experiment, { ...job, tasks }, folder),
      rerank: second,
      // of a search, one checkpoint: how many follow, the policy decides
      representations: await findRepresentations(model, isSearch ? searchedLayers(experiment) : job),
    })
    const mixes = jobs.some(({ kind }) => kind === 'aggregate') ? await mixesMemory(model, experiment) : 0
    return { ...plan, memoryBytes: plan.memoryBytes + mixes }
  } finally {
    await Promise.all([model, ...(second === undefined ? [] : [second.model])].map((one) => one.close()))
  }
}
