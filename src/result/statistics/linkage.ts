/** Agglomerative clustering of rows (SciPy's `linkage`), by Euclidean distance. */

export interface Joint {
  /** Clusters that are joined, the smaller number first: below n a row, else the joint n + its place. */
  readonly left: number
  readonly right: number
  readonly distance: number
  /** Rows in it. */
  readonly size: number
}

export type LinkageMethod = 'average' | 'ward'

/**
 * Hierarchical clustering of rows by Euclidean distance: n − 1 joints, the nearest first. Distances to what is joined
 * follow Lance and Williams (1967).
 *
 * @example
 * ```ts
 * import { linkage } from 'strata-lm/statistics'
 *
 * console.log(linkage([[0], [1], [5]], 'average').map(({ left, right, distance }) => [left, right, distance]))
 * // → [ [ 0, 1, 1 ], [ 2, 3, 4.5 ] ]
 * ```
 */
export function linkage(rows: readonly (readonly number[])[], method: LinkageMethod): Joint[] {
  const sizes = new Map(rows.map((_, i) => [i, 1]))
  const distances = new Map<string, number>()
  const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`)
  const between = (a: number, b: number): number => distances.get(key(a, b)) ?? 0
  rows.forEach((row, a) => {
    for (let b = 0; b < a; b++)
      distances.set(key(a, b), Math.hypot(...row.map((value, k) => value - (rows[b]?.[k] ?? 0))))
  })
  const joints: Joint[] = []
  while (sizes.size > 1) {
    const open = [...sizes.keys()].sort((a, b) => a - b)
    let [left, right, distance] = [0, 0, Infinity]
    for (const a of open)
      for (const b of open) if (a < b && between(a, b) < distance) [left, right, distance] = [a, b, between(a, b)]
    const [m, n] = [sizes.get(left) ?? 0, sizes.get(right) ?? 0]
    const joined = rows.length + joints.length
    for (const other of open)
      if (other !== left && other !== right) {
        const [a, b] = [between(left, other), between(right, other)]
        distances.set(key(joined, other), updated(method, { a, b, distance, m, n, k: sizes.get(other) ?? 0 }))
      }
    sizes.delete(left)
    sizes.delete(right)
    sizes.set(joined, m + n)
    joints.push({ left, right, distance, size: m + n })
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
 * Rows in the order of a tree, the left side of every joint first, so that no two of its branches cross.
 *
 * @example
 * ```ts
 * import { leavesOf, linkage } from 'strata-lm/statistics'
 *
 * console.log(leavesOf(linkage([[0], [5], [1]], 'average'))) // → [ 1, 0, 2 ]
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
