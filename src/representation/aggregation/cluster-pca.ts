/** The means of layers that say the same, side by side, projected. */
import { clustersOf } from './clusters.ts'
import type { AggregationMethod } from './method.ts'

/** Blocks √W_c · mean of the cluster's states, W_c its share of the quality. */
export const cluster_pca: AggregationMethod = {
  name: 'cluster_pca',
  reference: 'principal components of the clusters’ mean states, each times √W',
  uses: ['similarity', 'quality', 'clusters', 'corpus'],
  combine(known, { clusters: most }) {
    const { clusters, weights } = clustersOf(known, most)
    return {
      kind: 'projection',
      blocks: clusters.map((layers, c) => ({ layers, factor: Math.sqrt(weights[c]!) })),
      notes: { clusters, weights: [...weights] },
    }
  },
}
