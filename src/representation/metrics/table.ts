/** Every metric of a representation: flags, help, docs and the contract suite come from this list. */
import { declaredKind, fault, named, openTable, type PluginSource } from '#core'
import { anisotropy, effective_rank, logdet_covariance, spectral_norm } from './covariance.ts'
import { dataset_entropy } from './dataset-entropy.ts'
import { alpha_req, isoscore, mean_pairwise_cosine, rankme, uniformity } from './geometry.ts'
import { hist_dataset_entropy, hist_prompt_entropy } from './histogram.ts'
import { guarded } from './define.ts'
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

/** The names that mteb-layersweep has for metrics which are called otherwise here. */
const layersweepNames: Readonly<Record<string, MetricName>> = { prompt_entropy: 'hist_prompt_entropy' }

/** Other formulas in mteb-layersweep than here; the values are its formulas. */
const otherFormulas: Readonly<Record<string, MetricName>> = {
  dataset_entropy: 'hist_dataset_entropy',
  curvature: 'knn_curvature',
}

/** The four that mteb-layersweep gives its bandit. */
const core = 'hist_prompt_entropy,hist_dataset_entropy,knn_curvature,effective_rank'

/**
 * Metrics by name: `all`, `core` (the four that mteb-layersweep gives its bandit), or a list with commas. Throws
 * `usage.value` with the nearest name, and for a list that uses mteb-layersweep's own names where the same word is
 * another formula here.
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
  const words = list === 'core' ? core.split(',') : list.split(',').map((word) => word.trim())
  const theirs = words.filter((word) => word in layersweepNames)
  const twoFormulas = words.filter((word) => word in otherFormulas)
  if (theirs.length > 0 && twoFormulas.length > 0)
    throw fault('usage.value', {
      place,
      what: `${theirs.join(', ')} is a name of mteb-layersweep, whose ${twoFormulas.join(', ')} is another formula here`,
      seen: list,
      hint: `${place} ${words.map((word) => layersweepNames[word] ?? otherFormulas[word] ?? word).join(',')}`,
    })
  return named<Metric>(words.map((word) => layersweepNames[word] ?? word).join(','), metricTable.all(), {
    place,
    kind: 'metric',
  })
}

/** Strata's own, and those of plug-ins. */
export const metricTable = openTable<Metric>('metric', metrics, ['all', 'core', ...Object.keys(layersweepNames)])

/** Adds the metrics among a plug-in's exports: they are found by name from then on. Returns their names. */
export function addMetrics(exports: Readonly<Record<string, unknown>>, source: PluginSource): string[] {
  const found = [...new Set(Object.values(exports))].filter((value) => declaredKind(value) === 'metric') as Metric[]
  for (const one of found) metricTable.add(guarded(one, source), source)
  return found.map(({ name }) => name)
}
