/**
 * Experiment jobs that combine layers: the hash of their inputs is recorded, to detect whether the outcome is still
 * valid.
 */
import { existsSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { fault, findPlugin, fingerprint, keyName } from '#core'
import {
  aggregateArithmetic,
  type Aggregated,
  aggregateReport,
  mixMemory,
  runAggregate,
  type SimilaritySource,
  writeChosen,
  writeModelTables,
} from '#experiment/aggregate'
import { type Corpus, readCorpus } from '#experiment/encode'
import { sweepEntries } from '#experiment/sweep'
import type { Outcome } from '#experiment/workers'
import { readTexts } from '#files/tables'
import { type Model, statesOf } from '#model/checkpoint'
import type { Representation } from '#representation/layers'
import { aggregationNamed } from '#representation/aggregation'
import { similaritiesNamed } from '#representation/similarity'
import { fingerprintVersion, type ResultPlace, reusableResult } from '#result/ledger'
import { type Made, readMade, writeMade } from './made.ts'
import type { ExperimentJob } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import { toOutcome, type ExperimentSweep } from './score-jobs.ts'

export interface AggregateJob extends ExperimentSweep {
  readonly job: ExperimentJob
  /** Folder of the experiment. */
  readonly folder: string
  readonly validationFolder: string
}

/** Bytes that the combinations of an experiment add to the model's, at most. */
export async function mixesMemory(model: Model, { aggregate }: Experiment): Promise<number> {
  return aggregate === undefined ? 0 : mixMemory(model, aggregationNamed(aggregate.methods.join(',')))
}

/** Number of texts that `strata aggregate` reads from a corpus by default. */
const usualTexts = 30_000

export async function aggregated(
  model: Model,
  experiment: Experiment,
  { job, folder, ...sweep }: AggregateJob,
): Promise<Outcome> {
  const { aggregate } = experiment
  if (aggregate === undefined) throw fault('internal', { place: 'aggregate', what: 'nothing is asked' })
  const { methods, lambda: lambdas, similarity, quality, clusters, components } = aggregate
  const similarities: readonly SimilaritySource[] = similaritiesNamed(similarity.join(','), 'aggregate.similarity')
  const corpus = await corpusOf(aggregate.corpus)
  const of = await madeOf(model, { aggregate, job, corpus, sweep })
  const kept = await standing(folder, job, { of, root: resultsIn(sweep) })
  if (kept !== undefined) return { state: 'done', what: kept.sentence }
  const failures: string[] = []
  const found = await runAggregate(model, {
    ...sweep,
    methods: aggregationNamed(methods.join(',')),
    lambdas,
    similarities,
    quality,
    layerNorm: aggregate.layer_norm,
    ...(clusters === undefined ? {} : { clusters }),
    components,
    corpus,
    seed: job.seed,
    onResult({ result }) {
      if (result.strata.status === 'failed')
        failures.push(`${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`)
    },
  })
  const chosen = await writeChosen(model, found, resultsIn(sweep))
  const { sentence } = await aggregateReport(found, resultsIn(sweep))
  const tables = await writeModelPart(model, found, { experiment, job, folder })
  failures.push(...found.failed.map(({ task, error }) => `${task}: ${error.message}`))
  if (failures.length > 0) return toOutcome(failures)
  const made: MadeMixes = { of, sentence, results: resultsOf(found), files: [...chosen.values(), ...tables] }
  await writeMade(folder, job.id, made)
  return { state: 'done', what: sentence }
}

/** The model's part of the tables, next to those of the other models, poolings, revisions and seeds. */
async function writeModelPart(
  model: Model,
  aggregated: Aggregated,
  { experiment, job, folder }: { experiment: Experiment } & Pick<AggregateJob, 'job' | 'folder'>,
): Promise<string[]> {
  const root = tablesFolder(experiment, folder)
  if (root === undefined) return []
  const [, revision] = /@([^@]+)$/.exec(job.reference) ?? []
  const apart = [
    ...((experiment.pooling?.length ?? 0) > 1 ? model.settings.pooling : []),
    ...(experiment.revisions === undefined ? [] : [revision ?? basename(job.reference)]),
    ...(experiment.seeds.length > 1 ? [`seed${job.seed ?? ''}`] : []),
  ]
  return [await writeModelTables(root, { model, aggregated }, apart)]
}

/** Undefined where the file names none. */
export function tablesFolder({ aggregate }: Experiment, folder: string): string | undefined {
  return aggregate?.tables === undefined ? undefined : resolve(folder, aggregate.tables)
}

/** Whether the outcome for the current files is on disk. */
export async function isAggregated(
  model: Model,
  { aggregate }: Experiment,
  { job, folder, ...sweep }: AggregateJob,
): Promise<boolean> {
  const of = await madeOf(model, { aggregate, job, corpus: await corpusOf(aggregate?.corpus), sweep })
  return (await standing(folder, job, { of, root: resultsIn(sweep) })) !== undefined
}

/** The outcome of an aggregation: the mixes are known only after qualities and similarities have been measured. */
interface MadeMixes extends Made {
  readonly sentence: string
  readonly results: readonly (Omit<ResultPlace, 'root'> & { readonly task: string; readonly fingerprint: string })[]
  /** Representations chosen by validation. */
  readonly files: readonly string[]
}

/** The record, if it was made from these inputs and everything that it names exists. */
async function standing(
  folder: string,
  job: ExperimentJob,
  { of, root }: { readonly of: string; readonly root: string },
): Promise<MadeMixes | undefined> {
  const made = await readMade<MadeMixes>(folder, job.id)
  if (made?.of !== of || !made.files.every((file) => existsSync(file))) return undefined
  for (const { task, fingerprint: own, ...place } of made.results)
    if ((await reusableResult({ root, ...place }, task, own)) === undefined) return undefined
  return made
}

interface MadeOf {
  readonly job: ExperimentJob
  readonly corpus: Corpus | undefined
  readonly sweep: ExperimentSweep
}

/**
 * All inputs of the mixes and their scores, as one hash. The job's id covers the request; the fingerprints of the
 * layers' scores cover the model, how it is read, the tasks and their data.
 */
async function madeOf(
  model: Model,
  { aggregate, job, corpus, sweep }: Pick<Experiment, 'aggregate'> & MadeOf,
): Promise<string> {
  const states = Array.from({ length: statesOf(model).count }, (_, h): Representation => ({ kind: 'state', h }))
  const entries = await sweepEntries(model, { ...sweep, representations: [{ kind: 'default' }, ...states] })
  const plugged = [
    ...aggregationNamed(aggregate?.methods.join(',') ?? 'all'),
    ...similaritiesNamed(aggregate?.similarity.join(',') ?? 'all'),
  ].filter((one) => findPlugin(one) !== undefined)
  return fingerprint({
    version: [fingerprintVersion, aggregateArithmetic],
    job: job.id,
    scores: entries.map(({ task, representation, fingerprint: own }) => [task, representation, own]),
    corpus: corpus?.texts ?? null,
    ...(plugged.length === 0 ? {} : { plugins: plugged.map(keyName) }),
  })
}

async function corpusOf(path: string | undefined): Promise<Corpus | undefined> {
  if (path === undefined) return undefined
  const name = basename(path, extname(path))
  return readCorpus(name, readTexts({ kind: 'file', path }), { most: usualTexts })
}

function resultsIn({ outputFolder = 'results' }: ExperimentSweep): string {
  return outputFolder
}

function resultsOf({ tasks }: Aggregated): MadeMixes['results'] {
  return tasks.flatMap(({ task, results }) =>
    [...results.values()].map(({ strata: { model, revision, representation, fingerprint: own } }) => ({
      model,
      revision,
      representation,
      task,
      fingerprint: own,
    })),
  )
}
