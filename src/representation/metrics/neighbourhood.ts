/** What nearest neighbours say of pooled vectors: how curved, and of how many dimensions. */
import { type Matrix64, mean } from '#core'
import { timesTransposed } from '#platform/linalg'
import type { PooledMetric } from './metric.ts'
import { covarianceSpectrum } from './spectrum.ts'

/** Rows whose neighbours are looked for at a time. */
const blockRows = 256

/**
 * Over the first 100 texts, the largest over the smallest eigenvalue of the covariance of their 10 nearest neighbours –
 * below 1e-6 of the largest an eigenvalue is rounding –, as the logarithm of the mean and the mean of the logarithms.
 * Fewer than three texts: 0.
 */
export const knn_curvature: PooledMetric = {
  kind: 'pooled',
  name: 'knn_curvature',
  reference: 'layer_time, from the Gram matrix of the neighbours, in logarithms',
  rows: 'unit',
  async of(vectors) {
    const { rows, width, data } = vectors
    const k = Math.min(10, rows - 1)
    if (rows < 3 || k < 2) return { log10_of_mean: 0, mean_of_log10: 0 }
    const near = await neighboursOf(vectors, Math.min(100, rows), k)
    const ratios: number[] = []
    for (const { indexes } of near) {
      const offsets = new Float64Array(k * width)
      indexes.forEach((j, at) => offsets.set(data.subarray(j * width, (j + 1) * width), at * width))
      const spectrum = await covarianceSpectrum({ rows: k, width, data: offsets })
      const kept = spectrum.filter((value) => value > 1e-6 * spectrum[0]!)
      if (kept.length >= 2) ratios.push(kept[0]! / (kept.at(-1)! + 1e-10))
    }
    if (ratios.length === 0) return { log10_of_mean: 0, mean_of_log10: 0 }
    return { log10_of_mean: Math.log10(mean(ratios)), mean_of_log10: mean(ratios.map(Math.log10)) }
  },
}

/**
 * Intrinsic dimension from the ratio of the distances to the two nearest others; the tenth of the texts with the
 * largest ratios left out, texts that lie on another one too. NaN without three texts apart.
 */
export const intrinsic_dimension: PooledMetric = {
  kind: 'pooled',
  name: 'intrinsic_dimension',
  reference: 'Facco et al. 2017 (TwoNN), https://doi.org/10.1038/s41598-017-11873-y',
  rows: 'raw',
  async of(vectors) {
    const near = await neighboursOf(vectors, vectors.rows, Math.min(2, vectors.rows - 1))
    const ratios = near
      .flatMap(({ distances: [first = 0, second = NaN] }) => (first > 0 && second >= first ? [second / first] : []))
      .sort((a, b) => a - b)
    const used = Math.floor(0.9 * ratios.length)
    let [cross, squares] = [0, 0]
    for (let i = 0; i < used; i++) {
      // a line through the origin: −ln(1 − F) against ln μ
      const [x, y] = [Math.log(ratios[i]!), -Math.log(1 - (i + 1) / ratios.length)]
      cross += x * y
      squares += x * x
    }
    return squares > 0 ? cross / squares : NaN
  },
}

/** The k nearest others of the first `count` texts, nearest first, the first of equals before. */
async function neighboursOf(
  vectors: Matrix64,
  count: number,
  k: number,
): Promise<{ indexes: number[]; distances: number[] }[]> {
  const { rows, width, data } = vectors
  const squares = Float64Array.from({ length: rows }, (_, i) =>
    data.subarray(i * width, (i + 1) * width).reduce((sum, value) => sum + value * value, 0),
  )
  const found: { indexes: number[]; distances: number[] }[] = []
  for (let from = 0; from < count; from += blockRows) {
    const to = Math.min(count, from + blockRows)
    const products = await timesTransposed(
      { rows: to - from, width, data: data.subarray(from * width, to * width) },
      vectors,
    )
    for (let i = from; i < to; i++) {
      const apart = (j: number): number => Math.max(0, squares[i]! + squares[j]! - 2 * products[(i - from) * rows + j]!)
      const indexes = nearest(rows, i, k, apart)
      found.push({ indexes, distances: indexes.map((j) => Math.sqrt(apart(j))) })
    }
  }
  return found
}

function nearest(rows: number, self: number, k: number, apart: (j: number) => number): number[] {
  const kept: { j: number; at: number }[] = []
  for (let j = 0; j < rows; j++) {
    if (j === self) continue
    const at = apart(j)
    if (kept.length === k && at >= kept[k - 1]!.at) continue
    let place = kept.length
    while (place > 0 && kept[place - 1]!.at > at) place--
    kept.splice(place, 0, { j, at })
    if (kept.length > k) kept.pop()
  }
  return kept.map(({ j }) => j)
}
