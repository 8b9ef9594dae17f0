/** How pooled vectors fill their space. */
import { type Matrix64, mean } from '#core'
import { timesTransposed, unitRows64 } from '#platform/linalg'
import type { PooledMetric } from './metric.ts'
import { firstRows } from './rows.ts'
import { covarianceSpectrum, singularValues } from './spectrum.ts'

/** Rows compared with all others at a time. */
const blockRows = 256

/** Mean over the pairs of the first 500 texts. Fewer than two texts: NaN. */
export const mean_pairwise_cosine: PooledMetric = {
  kind: 'pooled',
  name: 'mean_pairwise_cosine',
  reference: 'Ethayarajh 2019, https://arxiv.org/abs/1909.00512',
  rows: 'unit',
  async of(vectors) {
    const some = unitRows64(firstRows(vectors, 500))
    return meanOverPairs(some, (cosine) => cosine)
  },
}

/** ln of the mean over pairs of exp(−2 ‖x − y‖²) of unit vectors: lower is more uniform. */
export const uniformity: PooledMetric = {
  kind: 'pooled',
  name: 'uniformity',
  reference: 'Wang and Isola 2020, https://arxiv.org/abs/2005.10242, t = 2',
  rows: 'unit',
  of: async (vectors) => Math.log(await meanOverPairs(unitRows64(vectors), (cosine) => Math.exp(-4 * (1 - cosine)))),
}

/** exp of the entropy of the singular values' shares, each with 1e-7 added; not centred. */
export const rankme: PooledMetric = {
  kind: 'pooled',
  name: 'rankme',
  reference: 'Garrido et al. 2023, https://arxiv.org/abs/2210.02885',
  rows: 'raw',
  async of(vectors) {
    const values = await singularValues(vectors)
    const sum = values.reduce((total, value) => total + value, 0)
    const smaller = Math.min(vectors.rows, vectors.width)
    let entropy = 0
    for (let i = 0; i < smaller; i++) {
      const p = (values[i] ?? 0) / sum + 1e-7
      entropy -= p * Math.log(p)
    }
    return Math.exp(entropy)
  },
}

/**
 * α of the power law λ_i ∝ i^−α of the covariance spectrum: least squares of ln λ on ln i over eigenvalues above 1e-12
 * of the largest.
 */
export const alpha_req: PooledMetric = {
  kind: 'pooled',
  name: 'alpha_req',
  reference: 'Agrawal et al. 2022 (α-ReQ), https://openreview.net/forum?id=ii9X4vtZGTZ',
  rows: 'raw',
  async of(vectors) {
    const all = await covarianceSpectrum(vectors)
    const values = all.filter((value) => value > 1e-12 * all[0]!)
    if (values.length < 2) return NaN
    const [xs, ys] = [Array.from(values, (_, i) => Math.log(i + 1)), Array.from(values, Math.log)]
    const [x, y] = [mean(xs), mean(ys)]
    const slope =
      xs.reduce((sum, value, i) => sum + (value - x) * (ys[i]! - y), 0) /
      xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
    return -slope
  },
}

/** 1 for vectors that vary alike in all directions, 0 for a line. */
export const isoscore: PooledMetric = {
  kind: 'pooled',
  name: 'isoscore',
  reference: 'Rudman et al. 2022, https://arxiv.org/abs/2108.07344',
  rows: 'raw',
  async of(vectors) {
    const n = vectors.width
    const values = await covarianceSpectrum(vectors)
    const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
    if (!(norm > 0) || n < 2) return NaN
    const defect =
      Math.sqrt(values.reduce((sum, value) => sum + ((Math.sqrt(n) * value) / norm - 1) ** 2, 0)) /
      Math.sqrt(2 * (n - Math.sqrt(n)))
    const filled = (n - defect ** 2 * (n - Math.sqrt(n))) ** 2 / n ** 2
    return (n * filled - 1) / (n - 1)
  },
}

/** Mean of a function of the inner product over the pairs i < j. */
async function meanOverPairs(x: Matrix64, value: (product: number) => number): Promise<number> {
  const { rows, width, data } = x
  let sum = 0
  for (let from = 0; from < rows; from += blockRows) {
    const to = Math.min(rows, from + blockRows)
    const products = await timesTransposed({ rows: to - from, width, data: data.subarray(from * width, to * width) }, x)
    for (let i = from; i < to; i++) for (let j = i + 1; j < rows; j++) sum += value(products[(i - from) * rows + j]!)
  }
  return sum / ((rows * (rows - 1)) / 2)
}
