/** Entropies of histograms, the seed family's own. They depend on the two ends of the values only. */
import type { Matrix64 } from '#core'
import { symmetricEigen, timesTransposed, transposed, unitRows64 } from '#platform/linalg'
import type { PooledMetric } from './metric.ts'
import { centredColumns, firstRows, upperTriangle } from './rows.ts'
import { entropyOf } from './spectrum.ts'

const bins = 50
/** Added to every count. */
const floor = 1e-10

/** Scores of the texts on their first principal axis. Fewer than two texts: 0. */
export const hist_prompt_entropy: PooledMetric = {
  kind: 'pooled',
  name: 'hist_prompt_entropy',
  reference: 'layer_time: 50-bin entropy of the first principal scores',
  rows: 'unit',
  async of(vectors) {
    return vectors.rows < 2 ? 0 : histogramEntropy(await firstScores(vectors))
  },
}

/** Cosine distances of all pairs of the first 1,000 texts. */
export const hist_dataset_entropy: PooledMetric = {
  kind: 'pooled',
  name: 'hist_dataset_entropy',
  reference: 'layer_time: 50-bin entropy of pairwise cosine distances',
  rows: 'unit',
  async of(vectors) {
    if (vectors.rows < 2) return 0
    const some = unitRows64(firstRows(vectors, 1000))
    return histogramEntropy(upperTriangle(await timesTransposed(some, some), some.rows).map((cosine) => 1 - cosine))
  },
}

async function firstScores(vectors: Matrix64): Promise<Float64Array> {
  const centred = centredColumns(vectors)
  const { width } = centred
  const covariance = await timesTransposed(transposed(centred), transposed(centred))
  const { vectors: axes } = await symmetricEigen({ rows: width, width, data: covariance })
  return timesTransposed(centred, { rows: 1, width, data: axes.data.subarray(0, width) })
}

/**
 * Between the smallest and the largest value, edges as numpy's: the last bin holds its upper end. All values the same:
 * half a unit either side.
 */
function histogramEntropy(values: Float64Array): number {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)]
  if (low === high) [low, high] = [low - 0.5, high + 0.5]
  const edge = (k: number): number => (k === bins ? high : low + (k * (high - low)) / bins)
  const counts = new Float64Array(bins).fill(floor)
  for (const value of values) {
    let bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))
    if (value < edge(bin)) bin--
    else if (bin < bins - 1 && value >= edge(bin + 1)) bin++
    counts[bin]!++
  }
  return entropyOf(counts)
}
