/** Experiment jobs that search: a policy chooses the next checkpoint and layer to score, within a budget. */
import { join } from 'node:path'
import { asFault, fault } from '#core'
import { openModel, resolveModel, type OpenModelOptions } from '#experiment/open'
import {
  type Checkpoint,
  checkpointsOf,
  type Downloads,
  isSearched,
  openDownloads,
  policies,
  rewardDefaults,
  runSearch,
  type SearchOptions,
  taskContext,
  taskCorpus,
} from '#experiment/search'
import type { Outcome } from '#experiment/workers'
import { pathName } from '#platform/disk'
import type { ExperimentJob } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import type { ExperimentSweep } from './score-jobs.ts'

export interface SearchJob {
  readonly job: ExperimentJob
  /** Folder of the experiment. */
  readonly folder: string
  /** Folder of this program's caches. */
  readonly cache: string
  readonly sweep: ExperimentSweep
  readonly reading: OpenModelOptions
  readonly signal: AbortSignal
}

/** Each search has a folder of its own; its scores are in the results of the experiment. */
export async function searched(experiment: Experiment, options: SearchJob): Promise<Outcome> {
  const { checkpoints, search, downloads } = await openSearch(experiment, options)
  const without: string[] = []
  try {
    const { best, failed, spent } = await runSearch(checkpoints, {
      ...search,
      context: policies[search.policy].contextual
        ? await taskContext(checkpoints, {
            context: experiment.search?.context,
            corpus: () => taskCorpus(options.sweep, search),
            seed: search.seed,
            folder: join(options.cache, 'metrics'),
            open: downloads.open,
            onFailure: ({ name }, error) => without.push(`${name}: ${asFault(error, 'internal', name).message}`),
            signal: options.signal,
            onProgress: options.reading.onProgress,
          })
        : undefined,
    })
    const [first] = best
    if (failed > 0)
      return { state: 'failed', what: `${failed} of ${spent} pulls failed; the search folder has reasons` }
    const found = first === undefined ? 'no arm has a reward' : `best arm ${first.arm}, reward ${first.reward ?? ''}`
    return { state: 'done', what: [`${found}, ${spent} arms pulled`, ...without].join('; ') }
  } finally {
    await downloads.close()
  }
}

/** Whether every pull is what it would be today. */
export async function areSearched(experiment: Experiment, options: SearchJob): Promise<boolean> {
  const { checkpoints, search, downloads } = await openSearch(experiment, options)
  try {
    return await isSearched(checkpoints, search)
  } finally {
    await downloads.close()
  }
}

/** The checkpoint that rewards are measured against: its layers are scored first. */
export async function baselineReference(
  { search, revisions }: Experiment,
  { reference }: ExperimentJob,
): Promise<string> {
  const checkpoints = await checkpointsOf([reference], revisions?.join(','))
  const baseline = checkpoints.find(({ name }) => name === search?.baseline) ?? checkpoints.at(-1)
  return baseline?.reference ?? reference
}

/** As the representations of a sweep. */
export function searchedLayers({ search }: Experiment): Pick<Experiment, 'representations'> {
  const { layers = 'all' } = search ?? {}
  return { representations: layers.split(',').map((name) => name.trim()) }
}

async function openSearch(
  { search: asked, revisions }: Experiment,
  { job, folder, cache, sweep, reading, signal }: SearchJob,
): Promise<{ checkpoints: readonly Checkpoint[]; search: Omit<SearchOptions, 'context'>; downloads: Downloads }> {
  if (asked === undefined) throw fault('internal', { place: 'search', what: 'nothing is asked' })
  const own = join(folder, 'searches', pathName([job.reference, job.pooling, job.seed].join(' ').trim()))
  const downloads = await openDownloads({
    open: ({ reference }) => openModel(reference, reading),
    fetch: async ({ reference }, stop) => (await resolveModel(reference, { signal: stop })).tensors.close(),
    folder: own,
    signal,
  })
  return {
    checkpoints: await checkpointsOf([job.reference], revisions?.join(',')),
    downloads,
    search: {
      policy: asked.policy,
      budget: asked.budget,
      alpha: asked.alpha,
      seed: job.seed ?? 42,
      reward: {
        kind: asked.reward,
        clip: asked.clip === 0 ? Infinity : (asked.clip ?? rewardDefaults.clip),
        floor: asked.floor ?? rewardDefaults.floor,
      },
      aggregation: asked.aggregation,
      baseline: asked.baseline,
      costAware: false,
      layers: asked.layers,
      sweep,
      open: downloads.open,
      ahead: downloads.ahead,
      folder: own,
      hashes: join(cache, 'hashes.jsonl'),
      signal,
      onProgress: reading.onProgress,
    },
  }
}
