/** Ascending order of float32 by counting: a list of a thousand in the time of some twenty passes over it. */

/** Bits of a pass: for short lists fewer, since each pass also walks its counts. */
const fewBits = 8
const manyBits = 11
const shortList = 2 ** 12

/** Positions of `values` in ascending order, equal values in their own; −0 equals 0. No NaN. */
export function radixOrder32(values: Float32Array): Uint32Array {
  const n = values.length
  const bits = n < shortList ? fewBits : manyBits
  const starts = new Uint32Array(2 ** bits)
  const mask = starts.length - 1
  let [keys, order] = [keysOf(values), new Uint32Array(n)]
  for (let i = 0; i < n; i++) order[i] = i
  let [nextKeys, nextOrder] = [new Uint32Array(n), new Uint32Array(n)]
  for (let shift = 0; shift < 32; shift += bits) {
    starts.fill(0)
    for (let i = 0; i < n; i++) starts[(keys[i]! >>> shift) & mask]!++
    // all in one bucket: this digit says nothing
    if (n === 0 || starts[(keys[0]! >>> shift) & mask] === n) continue
    for (let b = 0, sum = 0; b < starts.length; b++) {
      const count = starts[b]!
      starts[b] = sum
      sum += count
    }
    for (let i = 0; i < n; i++) {
      const key = keys[i]!
      const to = starts[(key >>> shift) & mask]!++
      nextKeys[to] = key
      nextOrder[to] = order[i]!
    }
    ;[keys, nextKeys] = [nextKeys, keys]
    ;[order, nextOrder] = [nextOrder, order]
  }
  return order
}

/** −0, whose key is that of 0. */
const negativeZero = 0x8000_0000

/** Bits whose order as unsigned numbers is that of the values: the sign bit turned, of negative ones all bits. */
function keysOf(values: Float32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const keys = new Uint32Array(values.length)
  for (let i = 0; i < keys.length; i++) {
    const word = words[i]!
    keys[i] = word > negativeZero ? ~word : word | negativeZero
  }
  return keys
}
