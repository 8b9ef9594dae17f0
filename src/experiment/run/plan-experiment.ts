/** An experiment as jobs: a worker opens each model once, and each text passes it once. */
import { asFault, fault, fingerprint } from '#core'
import { embeddingArgs } from '#experiment/open'
import { checkpointsOf } from '#experiment/search'
import type { Job } from '#experiment/workers'
import { locateYaml } from '#files/formats'
import { isRecipe, localeModels } from './locale-jobs.ts'
import type { Experiment } from './read-experiment.ts'

export interface ExperimentJob extends Job {
  readonly kind: 'scores' | 'search' | 'aggregate' | 'harness' | 'probe'
  /** Reference that opens the model; the checkpoints of a search are its revisions. */
  readonly reference: string
  /** Place among the servers of the file, in place of a reference. */
  readonly server?: number | undefined
  readonly pooling: string | undefined
  /** One task of scores, one task or group of the harness, one source of probing data; all tasks of an aggregation or a search. */
  readonly tasks: readonly string[]
  readonly seed: number | undefined
  /** In place of those of the file. */
  readonly subsets?: readonly string[] | undefined
  readonly representations: readonly string[]
}

type Add = (
  kind: ExperimentJob['kind'],
  job: Pick<ExperimentJob, 'pooling' | 'tasks' | 'seed' | 'subsets'>,
  /** What moves its outcome. */
  moving: object,
) => void

export interface ExperimentPlan {
  readonly name: string
  readonly jobs: readonly ExperimentJob[]
}

/**
 * A rough duration per kind of job, for the order of magnitude of the time left: the combinations of one task take
 * about as long as ten of its layers.
 */
const usual = { scores: 60, search: 3600, aggregate: 600, harness: 120, probe: 300 }

/**
 * The jobs of an experiment, in the order of models. Their ids change with everything in the file that can move a
 * score; `lookAgain` checks whether the models and data it names are unchanged. Throws what finding revisions throws.
 *
 * @example
 * ```ts
 * import { planExperiment, readExperiment } from 'strata-lm'
 *
 * const { jobs } = await planExperiment(await readExperiment('experiment.yaml'))
 * console.log(jobs.map(({ kind, tasks }) => `${kind} ${tasks.join(' ')}`)) // → [ 'scores pairs' ]
 * ```
 */
export async function planExperiment(experiment: Experiment): Promise<ExperimentPlan> {
  const { models = [], revisions, merges, pooling = [], search, aggregate, harness, probes, seeds, found } = experiment
  const references = [...(await checkpointsIn(experiment)), ...merges.map((path) => `merge:${path}`)]
  const asking = findAsking(experiment)
  const jobs: ExperimentJob[] = []
  const adderFor = (reference: string): Add => {
    const reading = findReading(experiment, reference)
    return (kind, { pooling: own, tasks, seed, subsets }, moving) => {
      const id = fingerprint({ kind, reference, pooling: own ?? null, reading, ...moving }).slice(0, 16)
      jobs.push({
        id,
        group: own === undefined ? reference : `${reference} ${own}`,
        seconds: usual[kind],
        kind,
        reference,
        pooling: own,
        tasks,
        seed,
        representations: subsets === undefined ? experiment.representations : classified,
        ...(subsets === undefined ? {} : { subsets }),
      })
    }
  }
  const all = found.tasks.map(({ name }) => name)
  for (const model of search === undefined ? [] : models)
    for (const own of pooling.length === 0 ? [undefined] : pooling)
      for (const seed of seeds)
        adderFor(model)(
          'search',
          { pooling: own, tasks: all, seed },
          {
            asking: { ...asking, representations: null },
            tasks: found.tasks,
            search,
            revisions: revisions ?? null,
            seed,
          },
        )
  for (const reference of references) {
    const add = adderFor(reference)
    for (const own of pooling.length === 0 ? [undefined] : pooling) {
      // a task names its own data
      for (const task of search === undefined ? found.tasks : [])
        add('scores', { pooling: own, tasks: [task.name], seed: undefined }, { asking, task })
      for (const seed of aggregate === undefined ? [] : seeds)
        add('aggregate', { pooling: own, tasks: all, seed }, { asking, tasks: found.tasks, aggregate, seed })
      for (const source of probes?.data ?? [])
        add('probe', { pooling: own, tasks: [source], seed: undefined }, { probes: { ...probes, data: null }, source })
    }
    // a head for the next token pools nothing; logging moves no score
    for (const task of harness?.tasks ?? [])
      add(
        'harness',
        { pooling: undefined, tasks: [task], seed: undefined },
        { harness: { ...harness, tasks: null, log_samples: null }, task },
      )
  }
  jobs.push(...serverJobs(experiment))
  for (const { reference, locales } of localeModels(experiment.locales))
    for (const task of found.tasks)
      adderFor(isRecipe(reference) ? `merge:${reference}` : reference)(
        'scores',
        { pooling: undefined, tasks: [task.name], seed: undefined, subsets: locales },
        { asking: { ...asking, subsets: locales, representations: classified }, task },
      )
  return { name: experiment.name, jobs }
}

/** A server has no layers, and answers tasks alone. */
function serverJobs(experiment: Experiment): ExperimentJob[] {
  const { servers = [], prompt, normalize, plugins, found } = experiment
  const asking = findAsking(experiment)
  return servers.flatMap((server, at) => {
    const reference = `${server.model}:${embeddingArgs(server.model, server.model_args, { needsKey: false }).model}`
    const moving = { asking, server, reading: { prompt: prompt ?? null, normalize: normalize ?? null, plugins } }
    return found.tasks.map((task): ExperimentJob => ({
      id: fingerprint({ kind: 'scores', ...moving, task }).slice(0, 16),
      group: `${reference} ${at + 1}`,
      seconds: usual.scores,
      kind: 'scores',
      reference,
      server: at,
      pooling: undefined,
      tasks: [task.name],
      seed: undefined,
      representations: experiment.representations,
    }))
  })
}

/** A classifier has no layer to be chosen. */
const classified = ['default']

/** Maximum number of tokens per text of the model that `reference` opens, whatever its revision. */
export function lengthFor({ max_length: lengths, models = [] }: Experiment, reference: string): number | undefined {
  if (typeof lengths !== 'object') return lengths
  const model = models.includes(reference) ? reference : reference.replace(/@[^@]*$/, '')
  return Object.hasOwn(lengths, model) ? lengths[model] : undefined
}

/** Every model, or its revisions. A fault is reported at its line. */
async function checkpointsIn({ models = [], revisions, text, path }: Experiment): Promise<readonly string[]> {
  if (revisions === undefined) return models
  try {
    const found = await Promise.all(models.map((model) => checkpointsOf([model], revisions.join(','))))
    return found.flat().map(({ reference }) => reference)
  } catch (error) {
    const { code, parts } = asFault(error, 'usage.value', path)
    throw fault(code, { ...parts, place: `${locateYaml(text, path, ['revisions'])} › revisions` })
  }
}

/** The request of the file, for the ids of jobs. */
function findAsking(experiment: Experiment): Readonly<Record<string, unknown>> {
  const keys = ['representations', 'languages', 'splits', 'subsets', 'profile', 'kmeans', 'benchmarks'] as const
  const { rerank } = experiment
  return {
    ...Object.fromEntries(keys.map((key) => [key, experiment[key] ?? null])),
    ...(rerank === undefined ? {} : { rerank }),
  }
}

/** How a model is read, and by which definitions. */
function findReading(experiment: Experiment, reference: string): Readonly<Record<string, unknown>> {
  return {
    max_length: lengthFor(experiment, reference) ?? null,
    ...Object.fromEntries(
      (['final_norm', 'prompt', 'dtype', 'engine'] as const).map((key) => [key, experiment[key] ?? null]),
    ),
    ...(experiment.normalize === true ? { normalize: true } : {}),
    // one job is one thing, even where a worker joins after an edit
    ...(experiment.plugins.length === 0 ? {} : { plugins: experiment.plugins }),
  }
}
