/** The value of one metric at one layer. */
import type { MetricValue } from '#representation/metrics'
import type { MetricInterval } from './mean-of-values.ts'

export interface LayerValue {
  readonly value: MetricValue
  /** Interval of a mean over texts. */
  readonly interval?: MetricInterval | undefined
}
