/** Agglomerative clustering (SciPy's `linkage`). */
import { fault } from '#core'

export interface Joint {
  /** Clusters that are joined, the smaller number first: below n a row, otherwise the joint n + its index. */
  readonly left: number
  readonly right: number
  readonly distance: number
  /** Rows in it. */
  readonly size: number
}

export type LinkageMethod = 'average' | 'ward'

/**
 * Hierarchical clustering by distance ([n × n]; Ward's method needs Euclidean ones): n − 1 joints, the nearest first;
 * among equally near ones those with the smaller numbers. Distances to a joined cluster follow Lance and Williams (1967).
 * Throws `result.invalid` for distances that are not finite, which SciPy refuses too.
 *
 * @example
 * ```ts
 * import { linkage, rowDistances } from 'strata-lm/statistics'
 *
 * const distances = rowDistances([[0], [1], [5]])
 * console.log(linkage(distances, 3, 'average').map(({ left, right, distance }) => [left, right, distance]))
 * // → [ [ 0, 1, 1 ], [ 2, 3, 4.5 ] ]
 * ```
 */
export function linkage(distances: Float64Array, n: number, method: LinkageMethod): Joint[] {
  const known = new Map<string, number>()
  const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`)
  const between = (a: number, b: number): number => known.get(key(a, b)) ?? NaN
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) known.set(key(i, j), distances[i * n + j]!)
  const sizes = new Map(Array.from({ length: n }, (_, i) => [i, 1]))
  const joints: Joint[] = []
  while (sizes.size > 1) {
    const open = [...sizes.keys()].sort((a, b) => a - b)
    let [left, right, distance] = [0, 0, Infinity]
    for (const a of open)
      for (const b of open) if (a < b && between(a, b) < distance) [left, right, distance] = [a, b, between(a, b)]
    if (distance === Infinity)
      throw fault('result.invalid', { place: 'linkage', what: 'a distance between rows is not finite' })
    const [m, k] = [sizes.get(left) ?? 0, sizes.get(right) ?? 0]
    const joined = n + joints.length
    for (const other of open)
      if (other !== left && other !== right) {
        const [a, b] = [between(left, other), between(right, other)]
        known.set(key(joined, other), updated(method, { a, b, distance, m, n: k, k: sizes.get(other) ?? 0 }))
      }
    sizes.delete(left)
    sizes.delete(right)
    sizes.set(joined, m + k)
    joints.push({ left, right, distance, size: m + k })
  }
  return joints
}

interface Sides {
  readonly a: number
  readonly b: number
  readonly distance: number
  readonly m: number
  readonly n: number
  readonly k: number
}

function updated(method: LinkageMethod, { a, b, distance, m, n, k }: Sides): number {
  switch (method) {
    case 'average':
      return (m * a + n * b) / (m + n)
    case 'ward':
      return Math.sqrt(((m + k) * a * a + (n + k) * b * b - k * distance * distance) / (m + n + k))
    default:
      return method satisfies never
  }
}

/**
 * Euclidean distances between rows, [n × n].
 *
 * @example
 * ```ts
 * import { rowDistances } from 'strata-lm/statistics'
 *
 * console.log(rowDistances([[0], [3]])) // → Float64Array(4) [ 0, 3, 3, 0 ]
 * ```
 */
export function rowDistances(rows: readonly (readonly number[])[]): Float64Array {
  const n = rows.length
  const out = new Float64Array(n * n)
  rows.forEach((row, i) => {
    for (let j = 0; j < i; j++) {
      const other = rows[j] ?? []
      out[i * n + j] = out[j * n + i] = Math.hypot(...row.map((value, k) => value - (other[k] ?? 0)))
    }
  })
  return out
}

/**
 * Rows in the order of a tree, the left side of every joint first, so that no two of its branches cross.
 *
 * @example
 * ```ts
 * import { leavesOf, linkage, rowDistances } from 'strata-lm/statistics'
 *
 * console.log(leavesOf(linkage(rowDistances([[0], [5], [1]]), 3, 'average'))) // → [ 1, 0, 2 ]
 * ```
 */
export function leavesOf(joints: readonly Joint[]): number[] {
  const rows = joints.length + 1
  const under = (cluster: number): number[] => {
    const joint = joints[cluster - rows]
    return joint === undefined ? [cluster] : [...under(joint.left), ...under(joint.right)]
  }
  return under(rows + joints.length - 1)
}
