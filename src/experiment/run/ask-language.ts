/** Experiment jobs that run harness tasks on a language model, or probe its layers. */
import { basename, join } from 'node:path'
import { fault, fingerprint } from '#core'
import {
  answeredTasks,
  type AnsweredOptions,
  type HarnessSettings,
  openData,
  openTasks,
  runIntoFolder,
} from '#experiment/ask'
import { openUntrained, type OpenModelOptions } from '#experiment/open'
import { isProbed, type ProbeOptions, runProbe } from '#experiment/probe'
import { type Outcome } from '#experiment/workers'
import { languageModelOf, type Model, statesOf } from '#model/checkpoint'
import { statesNamed } from '#representation/layers'
import { pathName } from '#platform/disk'
import { openProbeData, portionNamed, type ProbeCollection } from '#task/probing'
import { readMade, writeMade } from './made.ts'
import type { ExperimentJob } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'

export interface LanguageJobOptions {
  /** Folder of the experiment. */
  readonly folder: string
  readonly results: string
  /** Folder of this program's caches. */
  readonly cache: string
  readonly reading: OpenModelOptions
  readonly signal: AbortSignal
}

/** Existing output for the current files is not computed again. */
export async function harnessed(
  model: Model,
  experiment: Experiment,
  job: ExperimentJob,
  options: LanguageJobOptions,
): Promise<Outcome> {
  const asking = await askingOf(model, experiment, job, options)
  if (await isMade(asking, job, options)) return { state: 'done' }
  const { signal, reading, results, folder } = options
  const { run, fingerprints } = await runIntoFolder({
    ...asking,
    signal,
    onProgress: reading.onProgress,
    ledger: results,
    logSamples: experiment.harness?.log_samples,
    modelSource: 'hf',
    modelArgs: `pretrained=${job.reference}`,
  })
  if (run.failed.length > 0) return { state: 'failed', what: run.failed.map(({ reason }) => reason.message).join('; ') }
  await writeMade(folder, placeOf(asking), { of: madeOf(job, fingerprints) })
  return { state: 'done', what: `${run.tasks.length} tasks` }
}

export async function areAnswered(
  model: Model,
  experiment: Experiment,
  job: ExperimentJob,
  options: LanguageJobOptions,
): Promise<boolean> {
  return isMade(await askingOf(model, experiment, job, options), job, options)
}

/** The ledger has every result, and the harness's own files were last written for these. */
async function isMade(asking: AnsweredOptions, job: ExperimentJob, { folder }: LanguageJobOptions): Promise<boolean> {
  const fingerprints = await answeredTasks(asking)
  if (fingerprints === undefined) return false
  const made = await readMade(folder, placeOf(asking))
  // an earlier release recorded nothing
  return made === undefined || made.of === madeOf(job, fingerprints)
}

function madeOf({ id }: ExperimentJob, fingerprints: Readonly<Record<string, string>>): string {
  return fingerprint({ job: id, fingerprints })
}

function placeOf({ outputPath, model: { facts } }: AnsweredOptions): string {
  return `harness ${basename(outputPath)} ${facts.name} ${facts.revision}`
}

/** Each task's answers have a folder of their own: several workers may use one model. */
async function askingOf(
  model: Model,
  { harness }: Experiment,
  { tasks, reference }: ExperimentJob,
  { results, cache, reading, signal }: LanguageJobOptions,
): Promise<AnsweredOptions> {
  if (harness === undefined) throw fault('internal', { place: 'harness', what: 'nothing is asked' })
  const calls = { signal, onProgress: reading.onProgress }
  return {
    model: await languageModelOf(model, reference),
    nodes: await openTasks(tasks, { ...calls, cache, includePaths: harness.include_path }),
    settings: toHarnessSettings(harness),
    openDataset: openData(calls),
    outputPath: join(results, 'harness', pathName(tasks.join('+').replaceAll(/[^\w.-]/g, '_'))),
    ledger: results,
    modelName: model.name,
  }
}

export function toHarnessSettings(harness: NonNullable<Experiment['harness']>): HarnessSettings {
  return {
    numFewshot: harness.num_fewshot,
    limit: harness.limit,
    applyChatTemplate: harness.apply_chat_template,
    fewshotAsMultiturn: harness.fewshot_as_multiturn,
    systemInstruction: harness.system_instruction,
    genKwargs: harness.gen_kwargs,
    seed: harness.seed,
    fewshotSeed: harness.fewshot_seed,
    bootstrapIterations: harness.bootstrap_iters,
  }
}

/** Existing output for the current files is not computed again. */
export async function probed(
  model: Model,
  experiment: Experiment,
  job: ExperimentJob,
  options: LanguageJobOptions,
): Promise<Outcome> {
  const { collection, probing, place } = await probingOf(model, experiment, job, options)
  if (await stillProbed(model, job, { collection, probing, place }, options)) return { state: 'done' }
  const { dataSets } = await runProbe(model, collection, probing)
  const failed = dataSets.flatMap(({ dataSet, fault: reason }) =>
    reason === undefined ? [] : [`${dataSet.name}: ${reason.message}`],
  )
  if (failed.length > 0) return { state: 'failed', what: failed.join('; ') }
  await writeMade(options.folder, place, { of: job.id })
  return { state: 'done', what: `${dataSets.length} data sets` }
}

export async function areProbed(
  model: Model,
  experiment: Experiment,
  job: ExperimentJob,
  options: LanguageJobOptions,
): Promise<boolean> {
  return stillProbed(model, job, await probingOf(model, experiment, job, options), options)
}

interface Probing {
  readonly collection: ProbeCollection
  readonly probing: ProbeOptions
  readonly place: string
}

/** The ledger has every result, and the tables were last written for this job. */
async function stillProbed(
  model: Model,
  { id }: ExperimentJob,
  { collection, probing, place }: Probing,
  { folder }: LanguageJobOptions,
): Promise<boolean> {
  const made = await readMade(folder, place)
  // an earlier release recorded nothing
  return (made === undefined || made.of === id) && isProbed(model, collection, probing)
}

async function probingOf(
  model: Model,
  { probes }: Experiment,
  { tasks: [source = ''], reference }: ExperimentJob,
  { results, reading, signal }: LanguageJobOptions,
): Promise<Probing> {
  if (probes === undefined) throw fault('internal', { place: 'probes', what: 'nothing is asked' })
  const { count } = statesOf(model)
  const collection = await openProbeData(source, { signal, onProgress: reading.onProgress })
  const probing: ProbeOptions = {
    signal,
    onProgress: reading.onProgress,
    layers: probes.layers === 'last' ? [count - 1] : statesNamed(probes.layers, count),
    taskTypes: probes.task_types,
    names: probes.only,
    controls: probes.controls,
    settings: {
      profile: probes.profile,
      probe: probes.probe,
      mdl: probes.mdl,
      portion: portionNamed(String(probes.train_portion)),
    },
    seeds: probes.seeds,
    outputFolder: results,
    // another worker may probe another model
    workFolder: join(results, 'probes', collection.name, model.name.replaceAll('/', '__')),
    store: reading.store,
    threads: reading.threads,
    openUntrained: () => openUntrained(reference, reading),
  }
  const place = ['probes', collection.name, model.name, await model.revision(), ...model.overrides].join(' ')
  return { collection, probing, place }
}
