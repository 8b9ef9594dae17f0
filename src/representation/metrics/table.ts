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

/** `all`, or a list of names by comma. Throws `usage.value`. */
export function metricsNamed(list: string, place = '--metrics'): Metric[] {
  return named<Metric>(list, Object.values(metrics), { place, kind: 'metric' })
}
