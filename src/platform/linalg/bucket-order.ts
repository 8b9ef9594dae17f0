/**
 * Ascending order of numbers that are spread over their range, by two passes over memory where counting digits takes
 * six: a bucket for every few of them, and each bucket sorted in the cache.
 */

/** Numbers of a bucket on average, and at most: beyond it they lie too close together for this. */
const [usual, most] = [4, 256]

export interface Ordered {
  /** Positions, equal values in their own order. */
  readonly order: Uint32Array
  /** The values in that order. */
  readonly sorted: Float64Array
}

/** Undefined where the values are not finite, are all the same or crowd together: `radixOrder` takes any. */
export function bucketOrder(values: ArrayLike<number>): Ordered | undefined {
  const n = values.length
  let [lowest, highest] = [Infinity, -Infinity]
  for (let i = 0; i < n; i++) {
    if (values[i]! < lowest) lowest = values[i]!
    if (values[i]! > highest) highest = values[i]!
  }
  const buckets = Math.max(1, Math.floor(n / usual))
  // each step rounds a larger number to one that is no smaller: a bucket's values are below all of the next one's
  const scale = (buckets - 1) / (highest - lowest)
  if (!Number.isFinite(highest - lowest) || !Number.isFinite(scale)) return undefined
  const starts = new Uint32Array(buckets + 1)
  for (let i = 0; i < n; i++) starts[Math.floor((values[i]! - lowest) * scale) + 1]!++
  for (let b = 0; b < buckets; b++) {
    if (starts[b + 1]! > most) return undefined
    starts[b + 1]! += starts[b]!
  }
  const [order, sorted] = [new Uint32Array(n), new Float64Array(n)]
  for (let i = 0; i < n; i++) {
    const to = starts[Math.floor((values[i]! - lowest) * scale)]!++
    order[to] = i
    sorted[to] = values[i]!
  }
  // the former start of a bucket is now its end
  for (let b = 0, from = 0; b < buckets; from = starts[b++]!) insertionSort(order, sorted, from, starts[b]!)
  return { order, sorted }
}

function insertionSort(order: Uint32Array, sorted: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const [value, position] = [sorted[i]!, order[i]!]
    let at = i
    for (; at > from && sorted[at - 1]! > value; at--) {
      sorted[at] = sorted[at - 1]!
      order[at] = order[at - 1]!
    }
    sorted[at] = value
    order[at] = position
  }
}
