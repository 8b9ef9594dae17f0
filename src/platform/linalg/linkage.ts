/** Agglomerative clustering (SciPy's `linkage`). */
import { fault } from '#core'

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
 * n − 1 joints, the nearest first; of equally near ones those with the smaller numbers. Distances to what is joined
 * follow Lance and Williams (1967). `distances`: [n × n]; Ward's method wants Euclidean ones. Distances that are not
 * finite numbers are refused, as SciPy refuses them.
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

/** Euclidean, [rows × rows]. */
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

/** Rows in the order of the tree, the left side of every joint first: no two of its branches cross. */
export function leavesOf(joints: readonly Joint[]): number[] {
  const rows = joints.length + 1
  const under = (cluster: number): number[] => {
    const joint = joints[cluster - rows]
    return joint === undefined ? [cluster] : [...under(joint.left), ...under(joint.right)]
  }
  return under(rows + joints.length - 1)
}
