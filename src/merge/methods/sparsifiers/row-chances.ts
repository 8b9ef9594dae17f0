/**
 * Draws of a row whose chance depends on the rank. Most are decided by the bucket that a magnitude falls into: the draw lies below the chance of the bucket's first rank, or not
 * below that of its last. Only the rest need their own rank.
 */
import type { RowKeys } from './row-keys.ts'
import type { RowOrder } from './row-order.ts'

export interface RowChances {
  /**
   * Clears the bits of those elements listed in `open` (the first `count`, positions in the row) that their chance does not keep. Position j has bit and word
   * first + j · stride. `limits` by rank, never falling: an element is kept by a word below it.
   */
  readonly decide: (bits: Uint32Array, open: Int32Array, count: number, drawn: Uint32Array, first: number, stride: number) => void
}

/** More draws than this that need a rank: the row is sorted. A count of one rank costs about as much as sorting fifty elements. */
const mostCounts = (width: number): number => 16 + width / 256

export function rowChances(width: number, limits: Uint32Array, row: RowKeys, order: RowOrder): RowChances {
  // some two elements a bucket
  const bucketBits = Math.max(4, 30 - Math.clz32(width))
  const starts = new Int32Array(2 ** bucketBits + 3)
  const [keys, undecided] = [row.keys, new Int32Array(width + 1)]
  return {
    decide(bits, open, count, drawn, first, stride) {
      const { shift, before, buckets } = countBuckets(row, starts, bucketBits)
      let left = 0
      for (let n = 0; n < count; n++) {
        const j = open[n]!
        const at = first + j * stride
        const bucket = bucketOf(keys[j]!, shift, before)
        const word = drawn[at]!
        const kept = isBelow(word, limits[starts[bucket]!]!)
        const possible = isBelow(word, limits[starts[bucket + 1]! - 1]!)
        bits[at >>> 5]! &= ~((possible ^ 1) << (at & 31))
        undecided[left] = j
        left += possible & (kept ^ 1)
      }
      const ranks = left > mostCounts(width) ? order.ranks(keys) : undefined
      for (let n = 0; n < left; n++) {
        const j = undecided[n]!
        const at = first + j * stride
        if (drawn[at]! >= limits[ranks?.[j] ?? row.rank(j)]!) bits[at >>> 5]! &= ~(1 << (at & 31))
      }
      starts.fill(0, 0, buckets + 1)
    },
  }
}

/** Bits instead of a branch, as words are random: in halves, a difference is negative where one is below the other; the lowest bit decides where they are equal. */
function isBelow(word: number, limit: number): number {
  return ((word >>> 1) - (limit >>> 1) - (limit & ~word & 1)) >>> 31
}

/** Rank of the first element of each bucket, and one entry more. Bucket 0 is of zeros, the others part the range of the other keys. */
function countBuckets({ keys, range }: RowKeys, starts: Int32Array, bucketBits: number): { shift: number; before: number; buckets: number } {
  const [lowest, highest] = range()
  if (lowest > highest) {
    starts[1] = keys.length
    return { shift: 0, before: 0, buckets: 1 }
  }
  const shift = Math.max(0, 32 - Math.clz32(highest - lowest) - bucketBits)
  const before = (lowest >>> shift) - 1
  const buckets = (highest >>> shift) - before + 1
  for (let j = 0; j < keys.length; j++) starts[bucketOf(keys[j]!, shift, before) + 1]!++
  let sum = 0
  for (let bucket = 1; bucket <= buckets; bucket++) {
    sum = (sum + starts[bucket]!) | 0
    starts[bucket] = sum
  }
  return { shift, before, buckets }
}

/** 0 for what lies below the others. In whole numbers of 32 bits all the way. */
function bucketOf(key: number, shift: number, before: number): number {
  const bucket = ((key >>> shift) - before) | 0
  return bucket & ~(bucket >> 31)
}
