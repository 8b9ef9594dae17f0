/** Jobs of an experiment that ask a model in words, or probe its layers. */
import { join } from 'node:path'
import { fault } from '#core'
import { openData, openTasks, runIntoFolder } from '#experiment/ask'
import { openUntrained, type OpenModelOptions } from '#experiment/open'
import { runProbe } from '#experiment/probe'
import { type Outcome } from '#experiment/workers'
import { languageModelOf, type Model, statesOf } from '#model/checkpoint'
import { statesNamed } from '#representation/layers'
import { openProbeData, portionNamed } from '#task/probing'
import type { StudyJob } from './plan-experiment.ts'
import type { Study } from './read-experiment.ts'

export interface LanguageJobOptions {
  readonly results: string
  /** Folder of this program's caches. */
  readonly cache: string
  readonly reading: OpenModelOptions
  readonly signal: AbortSignal
}

/** Each task's answers lie in a folder of their own: several workers may be at one model. */
export async function harnessed(
  model: Model,
  study: Study,
  { tasks, reference }: StudyJob,
  { results, cache, reading, signal }: LanguageJobOptions,
): Promise<Outcome> {
  const { harness } = study
  if (harness === undefined) throw fault('internal', { place: 'harness', what: 'nothing is asked' })
  const calls = { signal, onProgress: reading.onProgress }
  const nodes = await openTasks(tasks, { ...calls, cache, includePaths: harness.include_path })
  const language = await languageModelOf(model, reference)
  const folder = join(results, 'harness', tasks.join('+').replaceAll(/[^\w.-]/g, '_'))
  const { run } = await runIntoFolder({
    ...calls,
    model: language,
    nodes,
    settings: {
      numFewshot: harness.num_fewshot,
      limit: harness.limit,
      applyChatTemplate: harness.apply_chat_template,
      fewshotAsMultiturn: harness.fewshot_as_multiturn,
      systemInstruction: harness.system_instruction,
      genKwargs: harness.gen_kwargs,
      seed: harness.seed,
      fewshotSeed: harness.fewshot_seed,
      bootstrapIterations: harness.bootstrap_iters,
    },
    openDataset: openData(calls),
    outputPath: folder,
    ledger: results,
    logSamples: harness.log_samples,
    modelSource: 'hf',
    modelArgs: `pretrained=${reference}`,
    modelName: model.name,
  })
  return { state: 'done', what: `${run.tasks.length} tasks` }
}

export async function probed(
  model: Model,
  study: Study,
  { tasks: [source = ''], reference }: StudyJob,
  { results, reading, signal }: LanguageJobOptions,
): Promise<Outcome> {
  const { probes } = study
  if (probes === undefined) throw fault('internal', { place: 'probes', what: 'nothing is asked' })
  const { count } = statesOf(model)
  const collection = await openProbeData(source, { signal, onProgress: reading.onProgress })
  const { dataSets } = await runProbe(model, collection, {
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
  })
  const failed = dataSets.flatMap(({ dataSet, fault: reason }) =>
    reason === undefined ? [] : [`${dataSet.name}: ${reason.message}`],
  )
  return failed.length === 0
    ? { state: 'done', what: `${dataSets.length} data sets` }
    : { state: 'failed', what: failed.join('; ') }
}
