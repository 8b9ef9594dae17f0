/**
 * Draws of a row whose chance depends on the rank. Most are decided by the bucket that a magnitude falls into: the draw
 * lies below the chance of the bucket's first rank, or not below that of its last. Only the rest need their own rank.
 * In a bucket of equal magnitudes – changes of 16-bit weights take few values – the rank follows from the number that
 * came before.
 */
import { maskWords } from './mask.ts'
import type { RowKeys } from './row-keys.ts'
import type { RowOrder } from './row-order.ts'
import { rowGroup, rowSimd } from './row-simd.ts'

/**
 * More draws than this that need a rank: they are not counted one by one, as the count of one rank costs about as much
 * as sorting fifty elements.
 */
const mostCounts = (width: number): number => 16 + width / 256

/**
 * Bits of those elements of the row last taken whose word lies below the limit of their rank, a bit each, from bit 0;
 * what follows in the last word means nothing. The same list every time. `limits` by rank, never falling.
 */
export function rowChances(
  width: number,
  limits: Uint32Array,
  row: RowKeys,
  order: RowOrder,
): (words: Uint32Array, first: number, stride: number) => Uint32Array {
  const simd = rowSimd(width)
  const [filled, inMask] = [Math.ceil(width / rowGroup) * rowGroup, maskWords(width)]
  // some two elements a bucket
  const bucketBits = Math.max(4, 30 - Math.clz32(width))
  const { possible, undecided, words: drawn, starts } = simd
  const { keys } = row
  const buckets = starts.length
  const [firsts, seen, own, places] = [
    new Int32Array(buckets),
    new Int32Array(buckets),
    new Int32Array(buckets),
    new Int32Array(width),
  ]

  /**
   * Limits of the first and the last rank of each bucket. Bucket 0 is of zeros, the others part the range of the other
   * keys.
   */
  const prepare = (): { shift: number; before: number; last: number } => {
    const [lowest, highest] = row.range()
    const range = Math.max(0, highest - lowest)
    const shift = Math.max(0, 32 - Math.clz32(range) - bucketBits)
    const before = (lowest >>> shift) - 1
    const last = Math.max(((lowest + range) >>> shift) - before, 0)
    starts.fill(0, 0, last + 2)
    simd.count(0, 4 * filled, shift, before)
    starts[before < 0 ? 2 : 1]! -= filled - width
    let sum = 0
    for (let bucket = 0; bucket <= last; bucket++) {
      const elements = starts[bucket + 1]!
      // Most buckets of 16-bit weights are empty: their limits are never asked for.
      if (elements === 0) continue
      const next = (sum + elements) | 0
      firsts[bucket] = sum
      simd.limits[2 * bucket] = limits[sum]!
      simd.limits[2 * bucket + 1] = limits[next - 1]!
      sum = next
    }
    return { shift, before, last }
  }

  /**
   * How many elements of its bucket come before each in the row; the magnitude in `own` of buckets that have but one,
   * −1 for the others.
   */
  const countBuckets = (shift: number, before: number, last: number): void => {
    seen.fill(0, 0, last + 1)
    for (let j = 0; j < width; j++) {
      const key = keys[j]!
      const bucket = Math.max((key >>> shift) - before, 0)
      const place = seen[bucket]!
      if (place === 0) own[bucket] = key
      else if (own[bucket] !== key) own[bucket] = -1
      places[j] = place
      seen[bucket] = place + 1
    }
  }

  return (words, first, stride) => {
    if (stride === 1) drawn.set(words.subarray(first, first + width))
    else for (let j = 0; j < width; j++) drawn[j] = words[first + j * stride]!
    const { shift, before, last } = prepare()
    simd.decide(0, 4 * filled, shift, before)
    if (width % 32 > 0) undecided[inMask - 1]! &= 2 ** (width % 32) - 1
    const settle = (rankOf: (j: number) => number): void => {
      eachBit(undecided, inMask, (j, at, bit) => {
        if (drawn[j]! >= limits[rankOf(j)]!) possible[at]! &= ~bit
      })
    }
    const count = countBits(undecided, inMask)
    if (count <= mostCounts(width)) settle(row.rank)
    else {
      countBuckets(shift, before, last)
      const bucketOf = (j: number): number => Math.max((keys[j]! >>> shift) - before, 0)
      let others = 0
      eachBit(undecided, inMask, (j) => (others += own[bucketOf(j)]! < 0 ? 1 : 0))
      const ranks = others > mostCounts(width) ? order.ranks(keys) : undefined
      settle((j) => {
        const bucket = bucketOf(j)
        if (own[bucket]! >= 0) return firsts[bucket]! + places[j]!
        return ranks === undefined ? row.rank(j) : ranks[j]!
      })
    }
    return possible
  }
}

/** Every set bit: its number, its word and itself. */
function eachBit(words: Uint32Array, length: number, visit: (j: number, at: number, bit: number) => void): void {
  for (let at = 0; at < length; at++) {
    for (let rest = words[at]! | 0; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      visit(32 * at + 31 - Math.clz32(bit), at, bit)
    }
  }
}

function countBits(words: Uint32Array, length: number): number {
  let count = 0
  for (let at = 0; at < length; at++) count += bitCount(words[at]!)
  return count
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
