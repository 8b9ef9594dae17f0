/** How much the texts of a corpus spread. */
import type { PooledMetric } from './metric.ts'
import { firstRows } from './rows.ts'
import { gramEntropy, scaled } from './spectrum.ts'
import { standardised } from './tokens.ts'

/** Entropy of the Gram matrix of the first 1,000 mean-pooled texts, centred, rows of length 1. */
export const dataset_entropy: PooledMetric = {
  kind: 'pooled',
  name: 'dataset_entropy',
  reference: 'Skean et al. 2025, of plain means',
  rows: 'raw',
  async of(vectors) {
    const some = firstRows(vectors, 1000)
    const { raw, maxEntropy, logNlogD } = scaled(await gramEntropy(standardised(some)), some.rows, some.width)
    return { raw, maxEntropy, logNlogD }
  },
}
