/** The jobs of an experiment, done by this process among others. */
import { basename, extname, join } from 'node:path'
import { fault } from '#core'
import { aggregateReport, runAggregate, type SimilaritySource, writeChosen } from '#experiment/aggregate'
import { readCorpus } from '#experiment/encode'
import { oneModel, openModel, type OpenModelOptions } from '#experiment/open'
import { planSweep, type Plan, runSweep, type SweepOptions } from '#experiment/sweep'
import { type Outcome, work, type WorkOptions, type WorkSummary } from '#experiment/workers'
import { readTexts } from '#files/tables'
import type { Model } from '#model/checkpoint'
import { poolingNamed } from '#model/passes'
import { type Representation, representationsNamed, statesNamed } from '#representation/layers'
import { writeWhole } from '#platform/disk'
import { aggregationNamed } from '#representation/aggregation'
import { similaritiesNamed } from '#representation/similarity'
import { harnessed, probed } from './ask-language.ts'
import type { StudyJob, StudyPlan } from './plan-experiment.ts'
import type { Study } from './read-experiment.ts'

export interface RunStudyOptions extends Omit<WorkOptions, 'folder'> {
  /** Where the experiment is kept; results lie in it unless the file says where. */
  readonly folder: string
  readonly model: Pick<OpenModelOptions, 'store' | 'threads' | 'batchTokens' | 'device' | 'signal' | 'onProgress'>
  /** Folder of this program's caches. */
  readonly cache: string
}

function resultsOf(study: Study, folder: string): string {
  return study.output_folder ?? join(folder, 'results')
}

/** What was asked, beside what comes of it: the file as it was, and the jobs. Throws `file.write`. */
export async function recordStudy(study: Study, { jobs }: StudyPlan, folder: string): Promise<void> {
  await writeWhole(join(folder, 'experiment.yaml'), study.text)
  await writeWhole(
    join(folder, 'plan.json'),
    `${JSON.stringify({ name: study.name, results: resultsOf(study, folder), jobs }, undefined, 2)}\n`,
  )
}

/**
 * Runs the jobs of an experiment that are not finished; several processes may run the same experiment in the same
 * folder, each under its own `worker` name. Failures are results: the other jobs continue. Throws `file.write`,
 * `usage.value` for a `worker` that is no name.
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
export async function runStudy(
  study: Study,
  { jobs }: StudyPlan,
  { folder, model: reading, cache, ...options }: RunStudyOptions,
): Promise<WorkSummary> {
  const models = oneModel(
    (job: StudyJob) => openModel(job.reference, { ...readingOf(study, job), ...reading }),
    ({ group }) => group,
  )
  const byId = new Map(jobs.map((job) => [job.id, job]))
  try {
    return await work(
      jobs,
      async ({ id }, signal) => {
        const job = byId.get(id)
        if (job === undefined) throw fault('internal', { place: id, what: 'no such job' })
        const model = await models.of(job)
        const sweep = {
          ...sweepOf(study, job, folder),
          scratch: join(cache, 'scratch'),
          signal,
          onProgress: reading.onProgress,
        }
        const language = {
          results: resultsOf(study, folder),
          cache,
          reading: { ...readingOf(study, job), ...reading },
          signal,
        }
        switch (job.kind) {
          case 'scores':
            return await scored(model, study, sweep)
          case 'aggregate':
            return await aggregated(model, study, {
              ...sweep,
              seed: job.seed,
              validationFolder: join(cache, 'validation'),
            })
          case 'harness':
            return await harnessed(model, study, job, language)
          case 'probe':
            return await probed(model, study, job, language)
          default:
            return job.kind satisfies never
        }
      },
      { folder, ...options },
    )
  } finally {
    await models.close()
  }
}

/** What the scores of a model would cost, task by task; nothing is downloaded. */
export async function studyCosts(
  study: Study,
  jobs: readonly StudyJob[],
  { folder, model: reading }: Pick<RunStudyOptions, 'folder' | 'model'>,
): Promise<Plan | undefined> {
  const [job] = jobs
  if (job === undefined) return undefined
  if (study.found.tasks.length === 0) return undefined
  const model = await openModel(job.reference, { ...readingOf(study, job), ...reading })
  try {
    const tasks = jobs.filter(({ kind }) => kind === 'scores').flatMap((one) => one.tasks)
    return await planSweep(model, {
      ...sweepOf(study, { ...job, tasks }, folder),
      representations: await seenOf(model, study),
    })
  } finally {
    await model.close()
  }
}

function readingOf(
  { max_length: maxLength, final_norm: finalNorm, prompt, dtype, engine }: Study,
  { pooling }: StudyJob,
): OpenModelOptions {
  return {
    maxLength,
    finalNorm,
    prompt,
    dtype,
    engine,
    pooling: pooling === undefined ? undefined : poolingNamed(pooling),
  }
}

function sweepOf(
  study: Study,
  { tasks }: Pick<StudyJob, 'tasks'>,
  folder: string,
): Omit<SweepOptions, 'representations'> {
  const { languages, splits, subsets, profile, kmeans, found } = study
  const { selections, benchmarks, ownData } = found
  const own = found.tasks.filter(({ name }) => tasks.includes(name))
  // those of the other tasks are no mistake
  const known = subsets?.filter((name) => own.some((task) => Object.hasOwn(task.subsets, name)))
  return {
    tasks: own,
    outputFolder: resultsOf(study, folder),
    keep: 'all',
    languages,
    splits,
    subsets: known?.length === 0 ? subsets : known,
    profile,
    kmeans,
    selections,
    benchmarks,
    ownData,
  }
}

/** A model without layers, a static table, has only what is no layer. */
async function seenOf(model: Model, { representations }: Study): Promise<readonly Representation[]> {
  const seen: Representation[] = []
  for (const name of representations) {
    if (name === 'all' || /^-?\d+$/.test(name)) {
      if (model.states !== undefined)
        seen.push(...statesNamed(name, model.states.count).map((h) => ({ kind: 'state' as const, h })))
    } else seen.push(...(await representationsNamed([name], model)))
  }
  return seen
}

async function scored(model: Model, study: Study, sweep: Omit<SweepOptions, 'representations'>): Promise<Outcome> {
  const failures: string[] = []
  for await (const { result } of runSweep(model, { ...sweep, representations: await seenOf(model, study) })) {
    const { status, representation, reason = '' } = result.strata
    if (status === 'failed') failures.push(`${result.task_name} ${representation}: ${reason}`)
  }
  return outcomeOf(failures)
}

/** As many texts of a corpus as `strata aggregate` reads. */
const usualTexts = 30_000

async function aggregated(
  model: Model,
  { aggregate }: Study,
  {
    seed,
    validationFolder,
    ...sweep
  }: Omit<SweepOptions, 'representations'> & { seed: number | undefined; validationFolder: string },
): Promise<Outcome> {
  if (aggregate === undefined) throw fault('internal', { place: 'aggregate', what: 'nothing is asked' })
  const {
    methods,
    lambda: lambdas,
    similarity,
    quality,
    layer_norm: layerNorm,
    clusters,
    components,
    corpus,
  } = aggregate
  const similarities: readonly SimilaritySource[] = similaritiesNamed(similarity.join(','), 'aggregate.similarity')
  const failures: string[] = []
  const found = await runAggregate(model, {
    ...sweep,
    methods: aggregationNamed(methods.join(',')),
    lambdas,
    similarities,
    quality,
    layerNorm,
    ...(clusters === undefined ? {} : { clusters }),
    components,
    corpus:
      corpus === undefined
        ? undefined
        : await readCorpus(basename(corpus, extname(corpus)), readTexts({ kind: 'file', path: corpus }), {
            most: usualTexts,
          }),
    seed,
    validationFolder,
    onResult({ result }) {
      if (result.strata.status === 'failed')
        failures.push(`${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`)
    },
  })
  const folder = sweep.outputFolder ?? 'results'
  await writeChosen(model, found, folder)
  const { sentence } = await aggregateReport(found, folder)
  return { ...outcomeOf(failures), ...(failures.length === 0 ? { what: sentence } : {}) }
}

function outcomeOf([first, ...more]: readonly string[]): Outcome {
  return first === undefined
    ? { state: 'done' }
    : { state: 'failed', what: more.length === 0 ? first : `${first} (and ${more.length} more)` }
}
