/** How good each layer of a model is by itself. */
import type { CallOptions, Matrix64 } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import { writeWhole } from '#platform/disk'
import { rememberedKeys } from '#platform/vectors'
import { type Metric, type MetricValue, type PooledMetric, type TokenMetric, unitRows } from '#representation/metrics'
import type { Corpus } from './corpus.ts'
import { tokenMetrics } from './token-metrics.ts'

export interface MetricsReport {
  readonly model: string
  readonly revision: string
  readonly pooling: string
  readonly max_length: number
  readonly dataset: string
  readonly num_samples: number
  /** By hidden state, `"0"` the embedding output. */
  readonly layers: Readonly<Record<string, Readonly<Record<string, MetricValue>>>>
  /** Metrics that were asked and are of no corpus alone. */
  readonly skipped: readonly string[]
}

/** Pooled metrics from the cached vectors, token metrics from one more pass. Metrics of views need pairs of texts and are left out, by name. Throws `usage.conflict` for a model without layers. */
export async function inspectMetrics(
  model: Model,
  corpus: Corpus,
  { metrics, ...call }: CallOptions & { readonly metrics: readonly Metric[] },
): Promise<MetricsReport> {
  const pooled = metrics.filter((metric): metric is PooledMetric => metric.kind === 'pooled')
  const ofTokens = metrics.filter((metric): metric is TokenMetric => metric.kind === 'tokens')
  const states = statesOf(model)
  const keys = rememberedKeys()
  const byToken = ofTokens.length === 0 ? [] : await tokenMetrics(model, corpus, ofTokens, call)
  const layers: Record<string, Record<string, MetricValue>> = {}
  for (let h = 0; h < states.count; h++) {
    const values: Record<string, MetricValue> = {}
    const embedder = await states.embedder({ kind: 'state', h }, { keep: 'all', keys })
    const { rows, width, data } = await embedder.embed(corpus.texts, call)
    const raw: Matrix64 = { rows, width, data: Float64Array.from(data) }
    for (const metric of pooled) values[metric.name] = await metric.of(metric.rows === 'unit' ? unitRows(raw) : raw)
    for (const [at, { name }] of ofTokens.entries()) {
      const value = byToken[h]?.[at]
      if (value !== undefined) values[name] = value
    }
    layers[String(h)] = values
  }
  return {
    model: model.name,
    revision: await model.revision(),
    pooling: model.settings.pooling.join('+'),
    max_length: model.settings.maxLength,
    dataset: corpus.name,
    num_samples: corpus.texts.length,
    layers,
    skipped: metrics.filter(({ kind }) => kind === 'views').map(({ name }) => name),
  }
}

/** One document a line. */
export async function writeMetrics(path: string, reports: readonly MetricsReport[]): Promise<void> {
  await writeWhole(path, reports.map((report) => `${JSON.stringify(report)}\n`).join(''))
}
