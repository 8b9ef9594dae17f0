/**
 * metrics: how good each layer of a model is on its own, without labels.
 *
 * In: an opened model, a corpus. Out: metrics of each layer with their intervals, cached on disk.
 * Never: a task's score, console output.
 */
export { measureMetrics, type MeasureMetricsOptions, type MetricsReport, writeMetrics } from './measure-metrics.ts'
export type { Views } from './views.ts'
