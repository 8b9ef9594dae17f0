/**
 * The magnitudes of one row as float32 bits without their sign, which order as the magnitudes do, and the rank of one
 * of them: counted over the whole row, many at a time.
 */
import { rowGroup, rowSimd, rowChunk } from './row-simd.ts'

/** A row at a time; one row of a thread, that was taken last. */
export interface RowKeys {
  readonly keys: Int32Array
  /** Takes the elements first, first + stride, … of changes. */
  readonly take: (delta: Float64Array, first: number, stride: number) => void
  /** The smallest key that is not 0, or 2³² where there is none, and the greatest one. */
  readonly range: () => readonly [number, number]
  /** How many elements of the row come before the one at this position, equal ones in order. */
  readonly rank: (position: number) => number
}

export function rowKeys(width: number): RowKeys {
  const { take, greater, values, keys: all, lowest, highest, counts } = rowSimd(width)
  const keys = all.subarray(0, width)
  // the last group is filled up by zeros
  const filled = Math.ceil(width / rowGroup) * rowGroup
  return {
    keys,
    take(delta, first, stride) {
      lowest.fill(0xffffffff)
      highest.fill(0)
      for (let done = 0; done < width; done += rowChunk) {
        const size = Math.min(rowChunk, width - done)
        const start = first + done * stride
        if (stride === 1) values.set(delta.subarray(start, start + size))
        else for (let j = 0; j < size; j++) values[j] = delta[start + j * stride]!
        if (size % 4 !== 0) values.fill(0, size, Math.ceil(size / 4) * 4)
        take(0, 8 * Math.ceil(size / 4) * 4, 4 * done)
      }
      if (filled > width) all.fill(0, width, filled)
    },
    range: () => [
      Math.min(lowest[0]!, lowest[1]!, lowest[2]!, lowest[3]!) + 1,
      Math.max(highest[0]!, highest[1]!, highest[2]!, highest[3]!),
    ],
    rank(position) {
      const key = keys[position]!
      const middle = position - (position % rowGroup)
      counts.fill(0)
      // not greater before the position, less from there on
      if (middle > 0) greater(0, 4 * middle, key)
      greater(4 * middle, 4 * filled, key - 1)
      let equal = 0
      for (let j = middle; j < position; j++) if (keys[j] === key) equal++
      return filled + equal - counts[0]! - counts[1]! - counts[2]! - counts[3]! - (key > 0 ? filled - width : 0)
    },
  }
}
