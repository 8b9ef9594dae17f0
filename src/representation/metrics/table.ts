/** Every metric of a representation: flags, help, docs and the contract suite come from this list. */
import { named } from '#core'
import { anisotropy, effective_rank, logdet_covariance, spectral_norm } from './covariance.ts'
import { dataset_entropy } from './dataset-entropy.ts'
import { alpha_req, isoscore, mean_pairwise_cosine, rankme, uniformity } from './geometry.ts'
import { hist_dataset_entropy, hist_prompt_entropy } from './histogram.ts'
import type { Metric } from './metric.ts'
import { intrinsic_dimension, knn_curvature } from './neighbourhood.ts'
import { curvature, sentence_entropy } from './tokens.ts'
import { alignment, dime, infonce, lidar } from './views.ts'

/**
 * Every metric of a layer by name. Metrics of `kind` `pooled` take the vectors of all texts, [texts × width]; `tokens`
 * the vectors of one text's tokens; `views` several views of the same texts.
 *
 * @example
 * ```ts
 * import { metrics } from 'strata-lm/metrics'
 *
 * const vectors = { rows: 3, width: 2, data: Float64Array.of(1, 0, 0, 1, -1, 0) }
 * console.log(await metrics.mean_pairwise_cosine.of(vectors)) // → -0.3333333333333333
 * ```
 */
export const metrics = {
  effective_rank,
  hist_prompt_entropy,
  hist_dataset_entropy,
  knn_curvature,
  logdet_covariance,
  anisotropy,
  spectral_norm,
  mean_pairwise_cosine,
  sentence_entropy,
  dataset_entropy,
  curvature,
  intrinsic_dimension,
  uniformity,
  rankme,
  alpha_req,
  isoscore,
  lidar,
  dime,
  infonce,
  alignment,
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics

/**
 * Metrics by name: `all`, or a list with commas. Throws `usage.value` with the nearest name.
 *
 * @example
 * ```ts
 * import { metricsNamed } from 'strata-lm/metrics'
 *
 * console.log(metricsNamed('rankme,curvature').map(({ name, kind }) => `${name}: ${kind}`))
 * // → [ 'rankme: pooled', 'curvature: tokens' ]
 * ```
 */
export function metricsNamed(list: string, place = '--metrics'): Metric[] {
  return named<Metric>(list, Object.values(metrics), { place, kind: 'metric' })
}
