/** The k nearest of many points, by Euclidean distance or by cosine. */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'

export interface Neighbours {
  /** Nearest first; among equals the first. */
  readonly points: Int32Array
  /** Euclidean distance, or 1 − cosine. */
  readonly distances: Float64Array
}

/** Points kept beyond k while distances still have the rounding of float32 products. */
const spare = 32
const room = 2 ** 28
/** Norms' product is at least this for a cosine. mergekit. */
const smallest = 1e-6

export async function nearestPoints(
  targets: Matrix,
  points: Matrix,
  k: number,
  cosine: boolean,
): Promise<Neighbours[]> {
  const { width } = targets
  const squares = squaredNorms(points)
  const step = Math.max(1, Math.floor(room / (4 * points.rows)))
  const out: Neighbours[] = []
  for (let from = 0; from < targets.rows; from += step) {
    const count = Math.min(step, targets.rows - from)
    const some = { rows: count, width, data: targets.data.subarray(from * width, (from + count) * width) }
    const products = await timesTransposed(some, points)
    for (let i = 0; i < count; i++) {
      const row = products.subarray(i * points.rows, (i + 1) * points.rows)
      // The target's own norm changes no order.
      const rough = Float64Array.from(row, (product, j) =>
        cosine ? -product / Math.sqrt(squares[j]! || smallest) : squares[j]! - 2 * product,
      )
      const target = some.data.subarray(i * width, (i + 1) * width)
      out.push(exact(target, { points, squares, cosine }, smallestOf(rough, k + spare), k))
    }
  }
  return out
}

function exact(
  target: Float32Array,
  { points: { width, data }, squares, cosine }: { points: Matrix; squares: Float64Array; cosine: boolean },
  candidates: readonly number[],
  k: number,
): Neighbours {
  const own = target.reduce((sum, value) => sum + value * value, 0)
  const found = candidates.map((point): readonly [number, number] => {
    const at = point * width
    let sum = 0
    if (cosine) for (let d = 0; d < width; d++) sum += target[d]! * data[at + d]!
    else for (let d = 0; d < width; d++) sum += (target[d]! - data[at + d]!) ** 2
    return [point, cosine ? 1 - sum / Math.max(smallest, Math.sqrt(own * squares[point]!)) : Math.sqrt(sum)]
  })
  const nearest = found.sort((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, k)
  return {
    points: Int32Array.from(nearest, ([point]) => point),
    distances: Float64Array.from(nearest, ([, distance]) => distance),
  }
}

function squaredNorms({ rows, width, data }: Matrix): Float64Array {
  const out = new Float64Array(rows)
  for (let i = 0; i < rows; i++)
    for (let d = i * width; d < (i + 1) * width; d++) out[i] = out[i]! + data[d]! * data[d]!
  return out
}

/** Indices of the `count` smallest values, in no order: a heap with the largest of them on top. */
function smallestOf(values: Float64Array, count: number): number[] {
  if (count >= values.length) return Array.from(values, (_, i) => i)
  const heap = Array.from({ length: count }, (_, i) => i)
  const sink = (at: number): void => {
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let top = at
      if (left < count && values[heap[left]!]! > values[heap[top]!]!) top = left
      if (right < count && values[heap[right]!]! > values[heap[top]!]!) top = right
      if (top === at) return
      ;[heap[at], heap[top]] = [heap[top]!, heap[at]!]
      at = top
    }
  }
  for (let i = (count >> 1) - 1; i >= 0; i--) sink(i)
  for (let i = count; i < values.length; i++) {
    if (values[i]! >= values[heap[0]!]!) continue
    heap[0] = i
    sink(0)
  }
  return heap
}
