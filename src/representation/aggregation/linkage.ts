/** Hierarchical clustering by average linkage, cut to at most K clusters, with the labels of scipy's `fcluster`. */

interface Merge {
  readonly left: number
  readonly right: number
  readonly height: number
}

/**
 * Clusters in scipy's order (`linkage(method='average')`, `fcluster(criterion='maxclust')`): members ascending. Where
 * merges are equally high, fewer than `most` may come out. `distances`: [n × n].
 */
export function averageLinkage(distances: Float64Array, n: number, most: number): number[][] {
  if (most >= n) return Array.from({ length: n }, (_, i) => [i])
  const merges = mergesOf(distances, n)
  const heights = merges.map(({ height }) => height).sort((a, b) => a - b)
  // the lowest cut that leaves no more than `most`
  const cut = heights[n - 1 - Math.max(1, most)] ?? Infinity
  return labelled(merges, n, cut)
}

/** In the order of their heights; clusters of one are 0 … n − 1, the k-th merge is n + k. Smaller number left. */
function mergesOf(distances: Float64Array, n: number): Merge[] {
  const between = new Map<string, number>()
  const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`)
  const at = (a: number, b: number): number => between.get(key(a, b)) ?? NaN
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) between.set(key(i, j), distances[i * n + j]!)
  const sizes = new Map(Array.from({ length: n }, (_, i) => [i, 1]))
  const merges: Merge[] = []
  for (let k = 0; k < n - 1; k++) {
    const open = [...sizes.keys()].sort((a, b) => a - b)
    let nearest: Merge = { left: 0, right: 0, height: Infinity }
    for (const [position, left] of open.entries())
      for (const right of open.slice(position + 1))
        if (at(left, right) < nearest.height) nearest = { left, right, height: at(left, right) }
    const { left, right } = nearest
    merges.push(nearest)
    const [a, b] = [sizes.get(left) ?? 0, sizes.get(right) ?? 0]
    for (const other of open)
      if (other !== left && other !== right)
        between.set(key(other, n + k), (a * at(other, left) + b * at(other, right)) / (a + b))
    sizes.delete(left)
    sizes.delete(right)
    sizes.set(n + k, a + b)
  }
  return merges
}

/** From the root down, clusters before single members, left before right: the order in which scipy numbers them. */
function labelled(merges: readonly Merge[], n: number, cut: number): number[][] {
  const clusters: number[][] = []
  const visit = (node: number, into: number[] | undefined): void => {
    const merge = merges[node - n]
    if (merge === undefined) {
      if (into === undefined) clusters.push([node])
      else into.push(node)
      return
    }
    let own = into
    if (own === undefined && merge.height <= cut) clusters.push((own = []))
    const children = [merge.left, merge.right]
    for (const child of [...children.filter((one) => one >= n), ...children.filter((one) => one < n)]) visit(child, own)
  }
  visit(n + merges.length - 1, undefined)
  return clusters.map((members) => members.sort((a, b) => a - b))
}
