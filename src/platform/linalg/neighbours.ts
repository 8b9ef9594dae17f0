/**
 * Nearest rows by Euclidean distance, exactly, as scikit-learn's brute-force neighbours find them (`ArgKmin`): ‖x‖² − 2
 * x·y + ‖y‖² in float64, pushed row by row onto a heap. Which of several rows in equal distance stay is decided by that
 * heap.
 */
import { fault, type Matrix } from '#core'
import { gathered, squaredNorms } from './gather.ts'
import { timesTransposed } from './product.ts'

export interface NeighbourOptions {
  neighbours: number
  signal?: AbortSignal | undefined
}

/**
 * The nearest rows of each group to each row of `x`, by Euclidean distance. A group is a list of row numbers of
 * `among`; the answer for it is [x.rows × neighbours] positions within the group, in no order. Products are computed
 * once for all groups, in blocks of rows. Throws `task.value` for a group with fewer rows than `neighbours`.
 *
 * @example
 * ```ts
 * import { matrix, nearestNeighbours } from 'strata-lm/linalg'
 *
 * const among = matrix(3, 1, Float32Array.of(0, 5, 9))
 * const x = matrix(2, 1, Float32Array.of(1, 8))
 * const [nearest] = await nearestNeighbours(x, among, [[0, 1, 2]], { neighbours: 1 })
 * console.log([...(nearest ?? [])]) // → [ 0, 2 ]
 * ```
 */
export async function nearestNeighbours(
  x: Matrix,
  among: Matrix,
  groups: readonly (readonly number[])[],
  { neighbours, signal }: NeighbourOptions,
): Promise<Int32Array[]> {
  const smallest = Math.min(...groups.map((group) => group.length))
  if (smallest < neighbours)
    throw fault('task.value', {
      place: 'nearest neighbours',
      what: 'fewer rows than neighbours',
      seen: smallest,
      wanted: neighbours,
    })
  const all = (rows: number): Int32Array => Int32Array.from({ length: rows }, (_, i) => i)
  const factor = gathered(among, all(among.rows))
  const norms = squaredNorms(factor)
  const found = groups.map(() => new Int32Array(x.rows * neighbours))
  const rows = all(x.rows)
  const step = Math.max(16, Math.floor(2 ** 21 / (x.width + among.rows)))
  const best = new Float64Array(neighbours)
  for (let start = 0; start < x.rows; start += step) {
    signal?.throwIfAborted()
    const block = gathered(x, rows, start, Math.min(x.rows, start + step))
    const products = await timesTransposed(block, factor)
    const own = squaredNorms(block)
    for (let i = 0; i < block.rows; i++) {
      const values = products.subarray(i * among.rows, (i + 1) * among.rows)
      for (let j = 0; j < among.rows; j++) values[j] = Math.max(0, own[i]! - 2 * values[j]! + norms[j]!)
      groups.forEach((group, g) =>
        nearest(values, group, found[g]!.subarray((start + i) * neighbours, (start + i + 1) * neighbours), best),
      )
    }
  }
  return found
}

/** Every row of the group that is nearer than the farthest one kept takes its place; the heap has that one on top. */
function nearest(values: Float64Array, group: readonly number[], out: Int32Array, best: Float64Array): void {
  const size = out.length
  best.fill(Infinity)
  for (let p = 0; p < group.length; p++) {
    const value = values[group[p]!]!
    if (value >= best[0]!) continue
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= size) break
      const child = left + 1 < size && best[left]! < best[left + 1]! ? left + 1 : left
      if (!(value < best[child]!)) break
      best[at] = best[child]!
      out[at] = out[child]!
      at = child
    }
    best[at] = value
    out[at] = p
  }
}
