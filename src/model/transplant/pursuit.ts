/**
 * Orthogonal matching pursuit: a vector as a combination of a few of many points, the point most like the residual is
 * taken next (Pati, Rezaiifar & Krishnaprasad 1993).
 */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'

export interface Combination {
  /** Points, in the order they were taken. */
  readonly points: Int32Array
  readonly weights: Float64Array
}

/**
 * A residual below this share of the target is float32 rounding: taking more points would fit noise, with weights as
 * large as the residual is small.
 */
const finished = 2 ** -20
const again = 2 ** -10
/** Bytes of inner products, and of the orthonormal vectors, that are held at once. */
const room = 2 ** 28

/**
 * Each of `targets` [count × width] from at most `k` of `points` [many × width]; fewer where those are enough. Inner
 * products run in float32, sums that depend on them in float64; among equal ones the first point counts.
 */
export async function orthogonalPursuit(targets: Matrix, points: Matrix, k: number): Promise<Combination[]> {
  const { width } = targets
  const most = Math.min(k, points.rows, width)
  const step = Math.max(1, Math.floor(room / Math.max(4 * points.rows, 8 * most * width)))
  const out: Combination[] = []
  for (let from = 0; from < targets.rows; from += step) {
    const count = Math.min(step, targets.rows - from)
    const seekers = Array.from({ length: count }, (_, i) =>
      seeker(targets.data.subarray((from + i) * width, (from + i + 1) * width), most),
    )
    for (let taken = 0; taken < most; taken++) {
      const open = seekers.filter((one) => !one.done)
      if (open.length === 0) break
      const alike = await timesTransposed(leftOf(open, width), points)
      open.forEach((one, i) => {
        const point = mostAlike(alike.subarray(i * points.rows, (i + 1) * points.rows), one.points)
        take(one, point, points.data.subarray(point * width, (point + 1) * width))
      })
    }
    out.push(...seekers.map(solved))
  }
  return out
}

/** Index of the largest magnitude that is not among `taken`. */
export function mostAlike(alike: Float32Array, taken: readonly number[]): number {
  let [best, largest] = [-1, -1]
  for (let j = 0; j < alike.length; j++) {
    const value = Math.abs(alike[j]!)
    if (value > largest && !taken.includes(j)) [best, largest] = [j, value]
  }
  return best
}

interface Seeker {
  readonly points: number[]
  /** Target minus its part in the span of the points. */
  readonly left: Float64Array
  readonly limit: number
  /** Orthonormal vectors of that span, one per row. */
  readonly basis: Float64Array
  /** Upper triangle by columns: points in the basis. */
  readonly triangle: Float64Array[]
  /** The target in the basis. */
  readonly parts: number[]
  readonly most: number
  done: boolean
}

function seeker(target: Float32Array, most: number): Seeker {
  const left = Float64Array.from(target)
  const limit = finished * Math.sqrt(left.reduce((sum, value) => sum + value * value, 0))
  return {
    points: [],
    left,
    limit,
    basis: new Float64Array(most * target.length),
    triangle: [],
    parts: [],
    most,
    done: !(limit > 0 && limit < Infinity) || most === 0,
  }
}

function leftOf(open: readonly Seeker[], width: number): Matrix {
  const data = new Float32Array(open.length * width)
  open.forEach(({ left }, i) => data.set(left, i * width))
  return { rows: open.length, width, data }
}

function take(one: Seeker, point: number, values: Float32Array): void {
  const { left, basis, parts } = one
  const width = left.length
  const fresh = Float64Array.from(values)
  const column = new Float64Array(parts.length + 1)
  const length = norm(fresh)
  takeOff(fresh, basis, column)
  // The residual is orthogonal up to rounding divided by its share of the point: for a point almost within the span
  // that is not enough.
  if (norm(fresh) < again * length) takeOff(fresh, basis, column)
  const rest = norm(fresh)
  // A point within the span of those before it has nothing to add: all that is left is orthogonal to every point.
  if (!(rest > finished * length)) {
    one.done = true
    return
  }
  const at = parts.length * width
  let part = 0
  for (let d = 0; d < width; d++) {
    basis[at + d] = fresh[d]! / rest
    part += basis[at + d]! * left[d]!
  }
  for (let d = 0; d < width; d++) left[d] = left[d]! - part * basis[at + d]!
  column[parts.length] = rest
  one.points.push(point)
  one.triangle.push(column)
  parts.push(part)
  one.done = parts.length === one.most || norm(left) <= one.limit
}

/** Off with the parts along the rows of a basis, which are added to the column. */
function takeOff(vector: Float64Array, basis: Float64Array, column: Float64Array): void {
  const width = vector.length
  for (let i = 0; i < column.length - 1; i++) {
    const at = i * width
    let part = 0
    for (let d = 0; d < width; d++) part += basis[at + d]! * vector[d]!
    for (let d = 0; d < width; d++) vector[d] = vector[d]! - part * basis[at + d]!
    column[i] = column[i]! + part
  }
}

/**
 * Weights of the points from the target's parts in the basis; a target that is not finite is a combination of nothing
 * finite.
 */
function solved({ points, triangle, parts, limit }: Seeker): Combination {
  if (!Number.isFinite(limit)) return { points: Int32Array.of(0), weights: Float64Array.of(NaN) }
  const weights = new Float64Array(points.length)
  for (let i = points.length - 1; i >= 0; i--) {
    let sum = parts[i]!
    for (let j = i + 1; j < points.length; j++) sum -= triangle[j]![i]! * weights[j]!
    weights[i] = sum / triangle[i]![i]!
  }
  return { points: Int32Array.from(points), weights }
}

function norm(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!
  return Math.sqrt(sum)
}
