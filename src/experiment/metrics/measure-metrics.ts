/** Quality of each layer of a model, without labels. */
import { type CallOptions, fingerprint, keyName, type Matrix64 } from '#core'
import { checkFinite, type Corpus } from '#experiment/encode'
import { choosePrompt, type Model, statesOf } from '#model/checkpoint'
import { openRepresentation, type Representation, representationKey, representationName } from '#representation/layers'
import { writeWhole } from '#platform/disk'
import { rememberedKeys } from '#platform/vectors'
import {
  type Metric,
  type MetricValue,
  type PooledMetric,
  type TokenMetric,
  type ViewMetric,
} from '#representation/metrics'
import { unitRows64 } from '#platform/linalg'
import { openValues } from './value-store.ts'
import type { LayerValue } from './layer-value.ts'
import type { MetricInterval } from './mean-of-values.ts'
import { tokenMetrics } from './token-metrics.ts'
import { type Views, viewTexts } from './views.ts'

export interface MetricsReport {
  readonly model: string
  readonly revision: string
  readonly pooling: string
  readonly max_length: number
  readonly dataset: string
  readonly num_samples: number
  /** By hidden state, `"0"` the embedding output, then the other requested representations by name. */
  readonly layers: Readonly<Record<string, Readonly<Record<string, MetricValue>>>>
  /** 95 % intervals of metrics that are means over texts, in the shape of the value. */
  readonly intervals: Readonly<Record<string, Readonly<Record<string, MetricInterval>>>>
  /** Requested metrics that need views of the texts when there are none. */
  readonly skipped: readonly string[]
}

export interface MeasureMetricsOptions extends CallOptions {
  readonly metrics: readonly Metric[]
  /** For metrics that compare views of a text; without it they are left out and listed. */
  readonly views?: Views | undefined
  /** Seed of intervals and of generated views; default 42. */
  readonly seed?: number | undefined
  /** Representations in addition to the hidden states: metrics of vectors and views only. */
  readonly representations?: readonly Representation[] | undefined
  /** Folder in which values are cached by content; without it nothing is cached. */
  readonly folder?: string | undefined
}

/**
 * Measures every layer of a model on a corpus of texts, without labels: metrics of pooled vectors from one pass
 * (cached, where vectors are cached), metrics of tokens from one more. Metrics that compare views are left out without
 * `views`, and listed in `skipped`. Throws `usage.conflict` for a model without layers.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { measureMetrics, metricsNamed } from 'strata-lm/metrics'
 *
 * const model = await openModel('assets/models/stories260K')
 * const corpus = { name: 'four', texts: ['Once upon a time', 'The end.', 'A cat sat.', 'It rained.'] }
 * const report = await measureMetrics(model, corpus, { metrics: metricsNamed('rankme') })
 * console.log(report.num_samples, Object.keys(report.layers)) // → 4 [ '0', '1', '2', '3', '4', '5' ]
 * await model.close()
 * ```
 */
export async function measureMetrics(
  model: Model,
  corpus: Corpus,
  { metrics, views, seed = 42, representations = [], folder, ...call }: MeasureMetricsOptions,
): Promise<MetricsReport> {
  const states = statesOf(model)
  const seen: readonly Representation[] = [
    ...Array.from({ length: states.count }, (_, h) => ({ kind: 'state' as const, h })),
    ...representations,
  ]
  const computed = metrics.filter(({ kind }) => kind !== 'views' || views !== undefined)
  const identity = {
    model: await model.identity(),
    settings: model.settings,
    prompt: choosePrompt(model.prompts),
    texts: fingerprint(corpus.texts),
  }
  const kept = openValues(folder, (metric) => ({
    ...identity,
    metric: keyName(computed.find(({ name }) => name === metric) ?? { name: metric }),
    ...(isOfViews(computed, metric) ? { views } : {}),
    seed,
  }))
  const found = await kept.read(computed, seen.map(representationKey))
  const fresh = await freshValues(
    model,
    corpus,
    computed.filter(({ name }) => !found.has(name)),
    { views, seed, representations, seen, ...call },
  )
  await kept.write(fresh)
  const named = seen.map((one) => (one.kind === 'state' ? String(one.h) : representationName(one)))
  const part = <T>(of: (value: LayerValue) => T | undefined): Record<string, Record<string, T>> =>
    Object.fromEntries(
      named.map((layer, i) => [
        layer,
        Object.fromEntries(
          computed.flatMap(({ name }) => {
            const own = (found.get(name) ?? fresh.get(name))?.[i]
            const value = own === undefined ? undefined : of(own)
            return value === undefined ? [] : [[name, value] as const]
          }),
        ),
      ]),
    )
  return {
    model: model.name,
    revision: await model.revision(),
    pooling: model.settings.pooling.join('+'),
    max_length: model.settings.maxLength,
    dataset: corpus.name,
    num_samples: corpus.texts.length,
    layers: part(({ value }) => value),
    intervals: part(({ interval }) => interval),
    skipped: metrics.filter((metric) => !computed.includes(metric)).map(({ name }) => name),
  }
}

interface FreshOptions extends Pick<MeasureMetricsOptions, 'views'>, CallOptions {
  readonly seed: number
  readonly representations: readonly Representation[]
  /** The hidden states, then the representations. */
  readonly seen: readonly Representation[]
}

/** Values by metric, one for each representation in `seen`. */
async function freshValues(
  model: Model,
  corpus: Corpus,
  metrics: readonly Metric[],
  { views, seed, representations, seen, ...call }: FreshOptions,
): Promise<Map<string, (LayerValue | undefined)[]>> {
  const fresh = new Map<string, (LayerValue | undefined)[]>()
  const ofTokens = metrics.filter((metric): metric is TokenMetric => metric.kind === 'tokens')
  if (ofTokens.length > 0) {
    const byLayer = await tokenMetrics(model, corpus, ofTokens, { seed, ...call })
    for (const [at, { name }] of ofTokens.entries())
      fresh.set(name, [...byLayer.map((values) => values[at]), ...representations.map(() => undefined)])
  }
  const pooled = metrics.filter((metric): metric is PooledMetric => metric.kind === 'pooled')
  const ofViews = metrics.filter((metric): metric is ViewMetric => metric.kind === 'views')
  for (const { name } of [...pooled, ...ofViews]) fresh.set(name, [])
  if (pooled.length + ofViews.length === 0) return fresh
  const keys = rememberedKeys()
  for (const representation of seen) {
    const opened = await openRepresentation(model, representation, { keep: 'all', keys })
    const embedder = (await opened.calibrate?.([corpus], call)) ?? opened
    const vectorsOf = async (texts: readonly string[]): Promise<Matrix64> => {
      const { rows, width, data } = await embedder.embed(texts, call)
      checkFinite(representationName(representation), data, texts)
      return { rows, width, data: Float64Array.from(data) }
    }
    if (pooled.length > 0) {
      const raw = await vectorsOf(corpus.texts)
      for (const metric of pooled)
        fresh.get(metric.name)?.push({ value: await metric.of(metric.rows === 'unit' ? unitRows64(raw) : raw) })
    }
    if (views === undefined) continue
    for (const metric of ofViews) {
      const sides: Matrix64[] = []
      for (const texts of viewTexts(corpus.texts, views, metric.views, seed)) sides.push(await vectorsOf(texts))
      fresh.get(metric.name)?.push({ value: await metric.of(sides) })
    }
  }
  return fresh
}

function isOfViews(metrics: readonly Metric[], name: string): boolean {
  return metrics.some((metric) => metric.name === name && metric.kind === 'views')
}

/**
 * Writes reports as JSON lines, one document per line, which `recordedMetrics` reads. Throws `file.write`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { measureMetrics, metricsNamed, writeMetrics } from 'strata-lm/metrics'
 * import { readColumns } from 'strata-lm/formats'
 *
 * const model = await openModel('assets/models/stories260K')
 * const corpus = { name: 'four', texts: ['Once upon a time', 'The end.', 'A cat sat.', 'It rained.'] }
 * await writeMetrics('metrics.jsonl', [await measureMetrics(model, corpus, { metrics: metricsNamed('rankme') })])
 * console.log((await readColumns(['metrics.jsonl'], { columns: ['model'] })).columns['model']) // → [ 'stories260K' ]
 * await model.close()
 * ```
 */
export async function writeMetrics(path: string, reports: readonly MetricsReport[]): Promise<void> {
  await writeWhole(path, reports.map((report) => `${JSON.stringify(report)}\n`).join(''))
}
