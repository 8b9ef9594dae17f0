/** Every layer by the quality of those that say the same. */
import { clustersOf } from './clusters.ts'
import { type AggregationMethod, normalised } from './method.ts'

/** Weight of a layer: mean quality of its cluster, scaled to sum to 1 over the layers. */
export const cluster: AggregationMethod = {
  name: 'cluster',
  reference: 'average linkage over 1 − S; weights by the mean quality of the cluster',
  uses: ['similarity', 'quality', 'clusters'],
  combine(known, { clusters: most }) {
    const { clusters, weights } = clustersOf(known, most)
    const each = new Float64Array(known.quality.length)
    clusters.forEach((members, c) => members.forEach((i) => (each[i] = weights[c]!)))
    return { kind: 'sum', weights: normalised(each), notes: { clusters } }
  },
}
