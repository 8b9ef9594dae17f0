/** An experiment as jobs: a model is opened once by whoever does them, and a text passes it once. */
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { asFault, compareCodePoints, fault, fingerprint } from '#core'
import { checkpointsOf } from '#experiment/search'
import type { Job } from '#experiment/workers'
import { locateYaml } from '#files/formats'
import type { Study } from './read-experiment.ts'

export interface StudyJob extends Job {
  readonly kind: 'scores' | 'aggregate' | 'harness' | 'probe'
  /** What opens the model. */
  readonly reference: string
  readonly pooling: string | undefined
  /** One task of scores, one task or group of the harness, one source of probing data; all tasks of an aggregation. */
  readonly tasks: readonly string[]
  readonly seed: number | undefined
}

export interface StudyPlan {
  readonly name: string
  readonly jobs: readonly StudyJob[]
}

/**
 * A guess of what a job takes, for the order of magnitude of the time left: the combinations of one task take about as
 * long as ten of its layers.
 */
const usual = { scores: 60, aggregate: 600, harness: 120, probe: 300 }

/**
 * The jobs of an experiment, in the order of models. Their ids change with everything in the file that can move a
 * score, and with the files it names: those on disk by size and time. Throws what finding revisions throws.
 *
 * @example
 * ```ts
 * import { planExperiment, readExperiment } from 'strata-lm'
 *
 * const { jobs } = await planExperiment(await readExperiment('experiment.yaml'))
 * console.log(jobs.map(({ kind, tasks }) => `${kind} ${tasks.join(' ')}`)) // → [ 'scores pairs' ]
 * ```
 */
export async function planStudy(study: Study): Promise<StudyPlan> {
  const { merges, pooling = [], aggregate, harness, probes, seeds, found } = study
  const references = [...(await checkpointsIn(study)), ...merges.map((path) => `merge:${path}`)]
  const reading = Object.fromEntries(
    (['max_length', 'final_norm', 'prompt', 'dtype', 'engine'] as const).map((key) => [key, study[key] ?? null]),
  )
  const asking = Object.fromEntries(
    (['representations', 'languages', 'splits', 'subsets', 'profile', 'kmeans', 'benchmarks'] as const).map((key) => [
      key,
      study[key] ?? null,
    ]),
  )
  const files = await Promise.all([...study.task_files, ...study.representations].map(stampOf))
  const corpus = aggregate?.corpus === undefined ? null : await stampOf(aggregate.corpus)
  const names = found.tasks.map(({ name }) => name)
  const data = await Promise.all(
    (probes?.data ?? []).map(async (source) => [source, await treeStamp(source.replace(/^\w+:/, ''))] as const),
  )
  const taskFolders = await Promise.all((harness?.include_path ?? []).map(treeStamp))
  const jobs: StudyJob[] = []
  for (const reference of references) {
    const stamp = await stampOf(reference.replace(/^merge:/, ''))
    const add = (
      kind: StudyJob['kind'],
      { pooling: own, tasks, seed }: Pick<StudyJob, 'pooling' | 'tasks' | 'seed'>,
      moving: object,
    ): void => {
      const id = fingerprint({ reference, stamp, pooling: own ?? null, reading, ...moving }).slice(0, 16)
      jobs.push({
        id,
        group: own === undefined ? reference : `${reference} ${own}`,
        seconds: usual[kind],
        kind,
        reference,
        pooling: own,
        tasks,
        seed,
      })
    }
    for (const own of pooling.length === 0 ? [undefined] : pooling) {
      for (const task of names) add('scores', { pooling: own, tasks: [task], seed: undefined }, { asking, files, task })
      for (const seed of aggregate === undefined ? [] : seeds)
        add('aggregate', { pooling: own, tasks: names, seed }, { asking, files, names, aggregate, corpus, seed })
      for (const [source, tree] of data)
        add(
          'probe',
          { pooling: own, tasks: [source], seed: undefined },
          { probes: { ...probes, data: null }, source, tree },
        )
    }
    // a head for the next token pools nothing; what is logged moves no score
    for (const task of harness?.tasks ?? [])
      add(
        'harness',
        { pooling: undefined, tasks: [task], seed: undefined },
        { harness: { ...harness, tasks: null, log_samples: null }, task, taskFolders },
      )
  }
  return { name: study.name, jobs }
}

/** Every model, or its revisions. A fault is told at its line. */
async function checkpointsIn({ models = [], revisions, text, path }: Study): Promise<readonly string[]> {
  if (revisions === undefined) return models
  try {
    const found = await Promise.all(models.map((model) => checkpointsOf([model], revisions.join(','))))
    return found.flat().map(({ reference }) => reference)
  } catch (error) {
    const { code, parts } = asFault(error, 'usage.value', path)
    throw fault(code, { ...parts, place: `${locateYaml(text, path, ['revisions'])} › revisions` })
  }
}

/**
 * Size and time of a file, or of the config and weights of a folder; null for what is not on this disk, such as a
 * repository.
 */
async function stampOf(path: string): Promise<unknown> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return null
  if (found.isFile()) return [found.size, found.mtimeMs]
  return Promise.all(
    ['config.json', 'model.safetensors', 'model.safetensors.index.json', 'pytorch_model.bin'].map((name) =>
      stampOf(join(path, name)),
    ),
  )
}

/** Names, sizes and times of all files below; null for what is not on this disk. */
async function treeStamp(path: string): Promise<unknown> {
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (found === undefined) return stampOf(path)
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(files.sort(compareCodePoints).map(async (file) => [relative(path, file), await stampOf(file)]))
}
