/**
 * A policy's context of the arms, from the models themselves: metrics of every layer on some texts, before anything is
 * scored.
 */
import { type CallOptions, fault } from '#core'
import type { Corpus } from '#experiment/encode'
import { measureMetrics } from '#experiment/metrics'
import type { Model } from '#model/checkpoint'
import { metricsNamed } from '#representation/metrics'
import type { Checkpoint } from './checkpoints.ts'
import { metricNumber } from './metric-number.ts'
import type { KnownContext, SearchContext } from './search-options.ts'

export interface LiveContextOptions extends CallOptions {
  /** Names of metrics, comma-separated. */
  readonly metrics: string
  readonly corpus: Corpus
  readonly seed: number
  /** Folder of the cached values: a resumed search pays once. */
  readonly folder: string
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  readonly onFailure: (checkpoint: Checkpoint, error: unknown) => void
}

/** Forms of each text, for the metrics that compare several. */
const views = { kind: 'augmented', count: 2 } as const

/**
 * One pass of the texts through every checkpoint, and another over their tokens where a metric needs tokens. Seconds
 * are those of this run. A checkpoint that fails has no context. Throws `usage.value` for an unknown metric.
 */
export function liveContext(checkpoints: readonly Checkpoint[], options: LiveContextOptions): SearchContext {
  const { metrics: names, corpus } = options
  const metrics = metricsNamed(names, '--context')
  return {
    name: `${metrics.map(({ name }) => name).join(',')} of ${corpus.texts.length} texts of ${corpus.name}`,
    load: () => measured(checkpoints, metrics, options),
  }
}

async function measured(
  checkpoints: readonly Checkpoint[],
  metrics: ReturnType<typeof metricsNamed>,
  { metrics: names, corpus, seed, folder, open, onFailure, ...call }: LiveContextOptions,
): Promise<KnownContext> {
  const known = new Map<string, readonly number[]>()
  const started = performance.now()
  for (const [at, checkpoint] of checkpoints.entries()) {
    call.signal?.throwIfAborted()
    call.onProgress?.({ stage: 'context', unit: 'tasks', done: at, total: checkpoints.length })
    try {
      const model = await open(checkpoint)
      try {
        const { layers } = await measureMetrics(model, corpus, { metrics, views, seed, folder, signal: call.signal })
        for (const [h, values] of Object.entries(layers)) {
          const own = metrics.map(({ name }) => metricNumber(values[name]))
          if (own.every((value) => value !== undefined)) known.set(`${checkpoint.name} h${h}`, own)
        }
      } finally {
        await model.close()
      }
    } catch (error) {
      if (call.signal?.aborted === true) throw error
      onFailure(checkpoint, error)
    }
  }
  if (known.size === 0)
    throw fault('usage.conflict', { place: '--context', what: 'no checkpoint has these metrics', seen: names })
  return {
    featuresOf: (checkpoint, layer) => known.get(`${checkpoint} ${layer}`),
    seconds: (performance.now() - started) / 1000,
  }
}
