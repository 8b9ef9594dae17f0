/** What the spectrum of the covariance says of pooled vectors. */
import { mean, populationDeviation } from '#core'
import type { PooledMetric } from './metric.ts'
import { centredColumns } from './rows.ts'
import { covarianceSpectrum, entropyOf, singularValues } from './spectrum.ts'

const tiny = 1e-10

/** exp of the entropy of the singular values of the centred vectors. Fewer than two texts, or no variance: 1. */
export const effective_rank: PooledMetric = {
  kind: 'pooled',
  name: 'effective_rank',
  reference: 'Roy and Vetterli 2007, on singular values',
  rows: 'unit',
  of: async (vectors) =>
    vectors.rows < 2 ? 1 : Math.exp(entropyOf(await singularValues(centredColumns(vectors)), tiny)),
}

/** ln det(C + 1e-10 · 1), C the sample covariance. */
export const logdet_covariance: PooledMetric = {
  kind: 'pooled',
  name: 'logdet_covariance',
  reference: 'layer_time',
  rows: 'unit',
  of: async (vectors) => (await covarianceSpectrum(vectors)).reduce((sum, value) => sum + Math.log(value + tiny), 0),
}

/** Population deviation of the singular values of C over their mean: 0 where all directions vary alike. */
export const anisotropy: PooledMetric = {
  kind: 'pooled',
  name: 'anisotropy',
  reference: 'layer_time',
  rows: 'unit',
  async of(vectors) {
    const values = await covarianceSpectrum(vectors)
    return populationDeviation(values) / (mean(values) + tiny)
  },
}

/** The largest singular value of C. */
export const spectral_norm: PooledMetric = {
  kind: 'pooled',
  name: 'spectral_norm',
  reference: 'layer_time',
  rows: 'unit',
  of: async (vectors) => (await covarianceSpectrum(vectors))[0] ?? NaN,
}
