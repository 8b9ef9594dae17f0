/** What one metric has of one layer. */
import type { MetricValue } from '#representation/metrics'
import type { MetricInterval } from './mean-of-values.ts'

export interface LayerValue {
  readonly value: MetricValue
  /** Of a mean over texts. */
  readonly interval?: MetricInterval | undefined
}
