/**
 * How good a layer is on its own, without labels: spectra, entropies, neighbours, curvature, agreement of views.
 *
 * @module metrics
 */
export {
  type Metric,
  metrics,
  type MetricName,
  metricsNamed,
  type MetricValue,
  type PooledMetric,
  type TokenMetric,
  type ViewMetric,
} from '#representation/metrics'
export {
  measureMetrics,
  type MeasureMetricsOptions,
  type MetricsReport,
  type Views,
  writeMetrics,
} from '#experiment/metrics'
