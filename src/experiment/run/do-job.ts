/** One job of an experiment, by its kind: run, or checked again. */
import { join } from 'node:path'
import {
  embeddingArgs,
  openEmbeddings,
  oneModel,
  type OneModel,
  openModel,
  type OpenModelOptions,
  openSecondStage,
  type SecondStage,
} from '#experiment/open'
import type { Outcome } from '#experiment/workers'
import type { Model } from '#model/checkpoint'
import { poolingNamed } from '#model/passes'
import { keepHashes } from '#platform/disk'
import { aggregated, isAggregated } from './aggregate-jobs.ts'
import { areAnswered, areProbed, harnessed, probed } from './ask-language.ts'
import { type ExperimentJob, lengthFor } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import { areSearched, searched } from './search-jobs.ts'
import { areScored, resultsFolder, scored, toSweep } from './score-jobs.ts'

/** Where and how fast a model runs; the file determines how it is read. */
export type Machine = Pick<OpenModelOptions, 'store' | 'threads' | 'batchTokens' | 'device' | 'signal' | 'onProgress'>

export interface JobPlaces {
  /** Folder of the experiment; it contains the results unless the file names another folder. */
  readonly folder: string
  readonly model: Machine
  /** Folder of this program's caches. */
  readonly cache: string
  readonly signal: AbortSignal
}

/** Runs a job. Existing output for the current files is found through the ledger and not computed again. */
export async function doneBy(
  models: OpenModels,
  experiment: Experiment,
  job: ExperimentJob,
  places: JobPlaces,
): Promise<Outcome> {
  const { sweep, language, aggregate, search } = optionsOf(experiment, job, places)
  if (job.kind === 'search') {
    // it opens its checkpoints itself
    await models.close()
    return searched(experiment, search)
  }
  const model = await models.of(job)
  switch (job.kind) {
    case 'scores':
      return scored(model, job, { ...sweep, rerank: await models.second() })
    case 'aggregate':
      return aggregated(model, experiment, aggregate)
    case 'harness':
      return harnessed(model, experiment, job, language)
    case 'probe':
      return probed(model, experiment, job, language)
    default:
      return job.kind satisfies never
  }
}

/** Whether running the job would find all of its output. Does not run the model. */
export async function stands(
  models: OpenModels,
  experiment: Experiment,
  job: ExperimentJob,
  places: JobPlaces,
): Promise<boolean> {
  const { sweep, language, aggregate, search } = optionsOf(experiment, job, places)
  if (job.kind === 'search') {
    await models.close()
    return areSearched(experiment, search)
  }
  const model = await models.of(job)
  switch (job.kind) {
    case 'scores':
      return areScored(model, job, { ...sweep, rerank: await models.second() })
    case 'aggregate':
      return isAggregated(model, experiment, aggregate)
    case 'harness':
      return areAnswered(model, experiment, job, language)
    case 'probe':
      return areProbed(model, experiment, job, language)
    default:
      return job.kind satisfies never
  }
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- four options, each as its kind has them
function optionsOf(experiment: Experiment, job: ExperimentJob, { folder, model: reading, cache, signal }: JobPlaces) {
  const sweep = {
    ...toSweep(experiment, job, folder),
    scratch: join(cache, 'scratch'),
    signal,
    onProgress: reading.onProgress,
  }
  const ownReading = { ...toReading(experiment, job), ...reading }
  return {
    sweep,
    search: { job, folder, cache, sweep, reading: ownReading, signal },
    aggregate: { ...sweep, job, folder, validationFolder: join(cache, 'validation') },
    language: {
      folder,
      results: resultsFolder(experiment, folder),
      cache,
      reading: ownReading,
      signal,
    },
  }
}

/** The model of the current job, and the second stage of all searches. */
export interface OpenModels extends OneModel<ExperimentJob> {
  /** Opened when first asked for; undefined where the file names none. */
  readonly second: () => Promise<SecondStage | undefined>
}

/**
 * One model is open at a time, next to a second stage: jobs of a group follow each other. Hashes of weights are cached,
 * so that a hundred unchanged checkpoints are recognised without reading them.
 */
export async function openModels(
  experiment: Experiment,
  { cache, model: reading }: Pick<JobPlaces, 'cache' | 'model'>,
): Promise<OpenModels> {
  await keepHashes(join(cache, 'hashes.jsonl'))
  const models = oneModel(
    (job: ExperimentJob) => openJob(experiment, job, reading),
    ({ group }) => group,
  )
  let second: Promise<SecondStage | undefined> | undefined
  return {
    of: models.of,
    second() {
      second ??= openSecond(experiment, reading)
      // the next job tries again
      second.catch(() => (second = undefined))
      return second
    },
    async close() {
      const opened = second
      second = undefined
      await models.close()
      await (await opened?.catch(() => undefined))?.model.close()
    },
  }
}

/** The model of a job, or the server in its place. */
export async function openJob(experiment: Experiment, job: ExperimentJob, machine: Machine): Promise<Model> {
  const { prompt, normalize, servers = [] } = experiment
  const server = job.server === undefined ? undefined : servers[job.server]
  return server === undefined
    ? openModel(job.reference, { ...toReading(experiment, job), ...machine })
    : // the file was read with its keys, or is only looked at
      openEmbeddings(embeddingArgs(server.model, server.model_args, { needsKey: false }), {
        store: machine.store,
        prompt,
        normalize,
      })
}

/** How the second stage is read, the file determines under `rerank`. */
export async function openSecond(
  { rerank, dtype, engine }: Experiment,
  machine: Machine,
): Promise<SecondStage | undefined> {
  return rerank === undefined ? undefined : openSecondStage(rerank, { ...machine, dtype, engine })
}

export function toReading(experiment: Experiment, { reference, pooling }: ExperimentJob): OpenModelOptions {
  const { final_norm: finalNorm, prompt, normalize, dtype, engine } = experiment
  return {
    maxLength: lengthFor(experiment, reference),
    finalNorm,
    prompt,
    normalize,
    dtype,
    engine,
    pooling: pooling === undefined ? undefined : poolingNamed(pooling),
  }
}
