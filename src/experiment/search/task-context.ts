/** The context of a search as users name it: a file of recorded metrics, or metrics to compute on the tasks' texts. */
import { existsSync } from 'node:fs'
import type { CallOptions } from '#core'
import { type Corpus, readCorpus } from '#experiment/encode'
import { type SweepOptions, taskTexts } from '#experiment/sweep'
import type { Checkpoint } from './checkpoints.ts'
import { liveContext, type LiveContextOptions } from './live-context.ts'
import { recordedMetrics } from './recorded.ts'
import type { SearchContext } from './search-options.ts'

/** Default number of texts for metrics. */
const contextTexts = 500
const usualMetrics = 'sentence_entropy,dataset_entropy,lidar,dime'

export interface TaskContextOptions extends Omit<LiveContextOptions, 'metrics' | 'corpus'> {
  /** A file, or names of metrics. */
  readonly context?: string | undefined
  /** The corpus of a file that has several. */
  readonly contextCorpus?: string | undefined
  /** Read only where metrics are computed. */
  readonly corpus: () => Promise<Corpus>
}

/** Throws what reading the file throws, and `usage.value` for an unknown metric. */
export async function taskContext(
  checkpoints: readonly Checkpoint[],
  { context = usualMetrics, contextCorpus, corpus, ...options }: TaskContextOptions,
): Promise<SearchContext> {
  if (existsSync(context)) {
    const featuresOf = await recordedMetrics(context, { corpus: contextCorpus })
    return { name: context, load: () => Promise.resolve({ featuresOf, seconds: 0 }) }
  }
  return liveContext(checkpoints, { ...options, metrics: context, corpus: await corpus() })
}

/** A seeded sample of the texts of the tasks. */
export function taskCorpus(
  sweep: Omit<SweepOptions, 'representations'> & CallOptions,
  { seed }: { readonly seed: number },
): Promise<Corpus> {
  const name = sweep.tasks.map((task) => task.name).join('+')
  return readCorpus(name, taskTexts(sweep), { most: contextTexts, drawn: { seed } })
}
