/** An experiment as jobs: a model is opened once by whoever does them, and a text passes it once. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asFault, fault, fingerprint } from '#core'
import { checkpointsOf } from '#experiment/search'
import type { Job } from '#experiment/workers'
import { locateYaml } from '#files/formats'
import type { Study } from './read-study.ts'

export interface StudyJob extends Job {
  readonly kind: 'scores' | 'aggregate'
  /** What opens the model. */
  readonly reference: string
  readonly pooling: string | undefined
  /** One task of scores; all of an aggregation. */
  readonly tasks: readonly string[]
  readonly seed: number | undefined
}

export interface StudyPlan {
  readonly name: string
  readonly jobs: readonly StudyJob[]
}

/** A guess of what a job takes, for the order of magnitude of the time left: the combinations of one task take about as long as ten of its layers. */
const usual = { scores: 60, aggregate: 600 }

/**
 * Jobs in the order of models. Their ids change with everything in the file that can move a score, and with the files it names: those on disk by size and time. Throws what finding
 * revisions throws.
 */
export async function planStudy(study: Study): Promise<StudyPlan> {
  const { merges, pooling = [], aggregate, seeds, found } = study
  const references = [...(await checkpointsIn(study)), ...merges.map((path) => `merge:${path}`)]
  const reading = Object.fromEntries((['max_length', 'final_norm', 'prompt', 'dtype', 'engine'] as const).map((key) => [key, study[key] ?? null]))
  const asking = Object.fromEntries(
    (['representations', 'languages', 'splits', 'subsets', 'profile', 'kmeans', 'benchmarks'] as const).map((key) => [key, study[key] ?? null]),
  )
  const files = await Promise.all([...study.task_files, ...study.representations].map(stampOf))
  const corpus = aggregate?.corpus === undefined ? null : await stampOf(aggregate.corpus)
  const names = found.tasks.map(({ name }) => name)
  const jobs: StudyJob[] = []
  for (const reference of references) {
    const stamp = await stampOf(reference.replace(/^merge:/, ''))
    for (const own of pooling.length === 0 ? [undefined] : pooling) {
      const group = own === undefined ? reference : `${reference} ${own}`
      const shared = { reference, stamp, pooling: own ?? null, reading, asking, files }
      for (const task of names)
        jobs.push({
          id: fingerprint({ ...shared, task }).slice(0, 16),
          group,
          seconds: usual.scores,
          kind: 'scores',
          reference,
          pooling: own,
          tasks: [task],
          seed: undefined,
        })
      if (aggregate === undefined) continue
      for (const seed of seeds)
        jobs.push({
          id: fingerprint({ ...shared, names, aggregate, corpus, seed }).slice(0, 16),
          group,
          seconds: usual.aggregate,
          kind: 'aggregate',
          reference,
          pooling: own,
          tasks: names,
          seed,
        })
    }
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

/** Size and time of a file, or of the config and weights of a folder; null for what is not on this disk, such as a repository. */
async function stampOf(path: string): Promise<unknown> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return null
  if (found.isFile()) return [found.size, found.mtimeMs]
  return Promise.all(['config.json', 'model.safetensors', 'model.safetensors.index.json', 'pytorch_model.bin'].map((name) => stampOf(join(path, name))))
}
