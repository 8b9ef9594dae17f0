/** Hierarchical clustering by average linkage, cut to at most K clusters, with the labels of scipy's `fcluster`. */
import { type Joint, linkage } from '#platform/linalg'

/**
 * Clusters in scipy's order (`linkage(method='average')`, `fcluster(criterion='maxclust')`): members ascending. Where
 * merges are equally high, fewer than `most` may come out. `distances`: [n × n].
 */
export function flatClusters(distances: Float64Array, n: number, most: number): number[][] {
  if (most >= n) return Array.from({ length: n }, (_, i) => [i])
  const joints = linkage(distances, n, 'average')
  const heights = joints.map(({ distance }) => distance).sort((a, b) => a - b)
  // the lowest cut that leaves no more than `most`
  const cut = heights[n - 1 - Math.max(1, most)] ?? Infinity
  return labelled(joints, n, cut)
}

/** From the root down, clusters before single members, left before right: the order in which scipy numbers them. */
function labelled(joints: readonly Joint[], n: number, cut: number): number[][] {
  const clusters: number[][] = []
  const visit = (node: number, into: number[] | undefined): void => {
    const joint = joints[node - n]
    if (joint === undefined) {
      if (into === undefined) clusters.push([node])
      else into.push(node)
      return
    }
    let own = into
    if (own === undefined && joint.distance <= cut) clusters.push((own = []))
    const children = [joint.left, joint.right]
    for (const child of [...children.filter((one) => one >= n), ...children.filter((one) => one < n)]) visit(child, own)
  }
  visit(n + joints.length - 1, undefined)
  return clusters.map((members) => members.sort((a, b) => a - b))
}
