/**
 * Ascending order of numbers that are spread over their range, by three passes over memory where counting digits of 64
 * bits takes six: each number's place in the range, in 2³² steps, is counted by its digits, and numbers of one step are
 * compared.
 */

/** Different numbers of one step, at most: beyond it they lie too close together for this. */
const most = 256
const steps = 2 ** 32
/** Bits of a pass, and the passes. */
const bits = 11
const mask = 2 ** bits - 1
const passes = 3

export interface Ordered {
  /** Positions, equal values in their own order. */
  readonly order: Uint32Array
  /** In that order, of each value a number that equal ones have in common. Those of unequal values may be the same. */
  readonly marks: ArrayLike<number>
}

/** Undefined where the values are not finite, are all the same or crowd together: `radixOrder` takes any. */
export function bucketOrder(values: ArrayLike<number>): Ordered | undefined {
  const n = values.length
  let [lowest, highest] = [Infinity, -Infinity]
  for (let i = 0; i < n; i++) {
    if (values[i]! < lowest) lowest = values[i]!
    if (values[i]! > highest) highest = values[i]!
  }
  // each operation rounds a larger number to one that is no smaller: a step's values are below all of the next one's
  const scale = (steps - 1) / (highest - lowest)
  if (!Number.isFinite(highest - lowest) || !Number.isFinite(scale)) return undefined
  let [keys, nextKeys] = [new Uint32Array(n), new Uint32Array(n)]
  let [order, nextOrder] = [new Uint32Array(n), new Uint32Array(n)]
  const starts = Array.from({ length: passes }, () => new Uint32Array(mask + 2))
  const [first, second, third] = starts as [Uint32Array, Uint32Array, Uint32Array]
  for (let i = 0; i < n; i++) {
    const key = ((values[i]! - lowest) * scale) >>> 0
    keys[i] = key
    order[i] = i
    first[(key & mask) + 1]!++
    second[((key >>> bits) & mask) + 1]!++
    third[(key >>> (2 * bits)) + 1]!++
  }
  for (const [pass, places] of starts.entries()) {
    for (let digit = 0; digit < mask; digit++) places[digit + 1]! += places[digit]!
    const shift = pass * bits
    for (let i = 0; i < n; i++) {
      const key = keys[i]!
      const to = places[(key >>> shift) & mask]!++
      nextKeys[to] = key
      nextOrder[to] = order[i]!
    }
    ;[keys, nextKeys] = [nextKeys, keys]
    ;[order, nextOrder] = [nextOrder, order]
  }
  // values are read only where two have the same step: they lie all over memory
  for (let from = 0, to = 1; from < n; from = to++) {
    while (to < n && keys[to] === keys[from]) to++
    if (to - from > 1 && !insertionSort(order, values, from, to)) return undefined
  }
  return { order, marks: keys }
}

/** False, with nothing promised of the order, where too many different numbers are out of place. */
function insertionSort(order: Uint32Array, values: ArrayLike<number>, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) {
    const position = order[i]!
    const value = values[position]!
    if (values[order[i - 1]!]! <= value) continue
    if (to - from > most) return false
    let at = i
    for (; at > from && values[order[at - 1]!]! > value; at--) order[at] = order[at - 1]!
    order[at] = position
  }
  return true
}
