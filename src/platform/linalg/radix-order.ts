/**
 * Ascending order of many numbers, by counting instead of comparing: 4.5 million in the time of some twenty passes over
 * memory.
 */

/** Bits of a pass, and how many passes 64 bits take. */
const bits = 11
const buckets = 2 ** bits
const passes = 6

/** Positions of `values` in ascending order, equal values in their own; −0 before 0. No NaN. */
export function radixOrder(values: ArrayLike<number>): Uint32Array {
  const n = values.length
  let [low, high] = keysOf(values)
  let order = Uint32Array.from({ length: n }, (_, i) => i)
  let [nextLow, nextHigh, nextOrder] = [new Uint32Array(n), new Uint32Array(n), new Uint32Array(n)]
  for (let pass = 0; pass < passes; pass++) {
    const starts = new Uint32Array(buckets + 1)
    for (let i = 0; i < n; i++) starts[digitOf(low[i]!, high[i]!, pass) + 1]!++
    // all in one bucket: this digit says nothing
    if (starts.includes(n)) continue
    for (let b = 0; b < buckets; b++) starts[b + 1]! += starts[b]!
    for (let i = 0; i < n; i++) {
      const to = starts[digitOf(low[i]!, high[i]!, pass)]!++
      nextLow[to] = low[i]!
      nextHigh[to] = high[i]!
      nextOrder[to] = order[i]!
    }
    ;[low, nextLow] = [nextLow, low]
    ;[high, nextHigh] = [nextHigh, high]
    ;[order, nextOrder] = [nextOrder, order]
  }
  return order
}

/**
 * Bit patterns whose order as unsigned numbers is that of the values: the sign bit turned, of negative ones all bits.
 */
function keysOf(values: ArrayLike<number>): [low: Uint32Array<ArrayBuffer>, high: Uint32Array<ArrayBuffer>] {
  const words = new Uint32Array(Float64Array.from(values).buffer)
  const [low, high] = [new Uint32Array(values.length), new Uint32Array(values.length)]
  for (let i = 0; i < values.length; i++) {
    const [l, h] = [words[2 * i]!, words[2 * i + 1]!]
    const negative = h >>> 31 === 1
    low[i] = negative ? ~l : l
    high[i] = negative ? ~h : h ^ 0x8000_0000
  }
  return [low, high]
}

/** Eleven bits of a 64-bit key, from the lowest on; the last pass has the nine that are left. */
function digitOf(low: number, high: number, pass: number): number {
  switch (pass) {
    case 0:
      return low & 0x7ff
    case 1:
      return (low >>> 11) & 0x7ff
    case 2:
      return (low >>> 22) | ((high & 1) << 10)
    default:
      return (high >>> (11 * pass - 32)) & 0x7ff
  }
}
