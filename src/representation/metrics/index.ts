/**
 * metrics: how good a representation is on its own – spectra, entropies, neighbours, paths of tokens, views.
 *
 * In: pooled vectors, tokens of one text, views of the same texts. Out: numbers.
 * Never: a model, a file, a task, a score, an unseeded draw.
 */
export { metricLaws } from './contract.ts'
export { defineMetric, type MetricDefinition } from './define.ts'
export type { Metric, MetricValue, PooledMetric, TokenMetric, ViewMetric } from './metric.ts'
export { metrics, type MetricName, metricsNamed, addMetrics, metricTable } from './table.ts'
