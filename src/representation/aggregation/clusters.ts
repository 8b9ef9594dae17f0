/** Layers that say the same, together. */
import { averageLinkage } from './linkage.ts'
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
  const clusters = averageLinkage(distances, n, most)
  const means = clusters.map((members) => members.reduce((sum, i) => sum + quality[i]!, 0) / members.length)
  return { clusters, weights: normalised(Float64Array.from(means)) }
}
