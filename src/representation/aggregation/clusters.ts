/** Layers that say the same, together. */
import { mean } from '#core'
import { flatClusters } from './flat-clusters.ts'
import { type Known, normalised } from './method.ts'

export interface Clusters {
  readonly clusters: readonly (readonly number[])[]
  /** Mean quality of each cluster's members, of sum 1. */
  readonly weights: Float64Array
}

/** Average linkage over 1 − S, at most `most` clusters. */
export function clustersOf({ similarity, quality }: Known, most: number): Clusters {
  const n = quality.length
  const distances = similarity.map((value, at) => (at % (n + 1) === 0 ? 0 : 1 - value))
  const clusters = flatClusters(distances, n, most)
  const means = clusters.map((members) => mean(members.map((i) => quality[i]!)))
  return { clusters, weights: normalised(Float64Array.from(means)) }
}
