/** Rows of one stored matrix, by number. */
import { fault, type TensorInfo, type Matrix } from '#core'
import { widen } from '#files/formats'

export interface Rows {
  readonly name: string
  readonly count: number
  readonly width: number
  /** [ids × width], in the order of `ids`. */
  take(ids: ArrayLike<number>): Promise<Matrix>
  /** All rows, some at a time. */
  blocks(): AsyncGenerator<Matrix>
}

/** Stored bytes of elements [from, to) of one tensor. */
export type ReadElements = (from: number, to: number) => Promise<Uint8Array>

/** Elements read at once. */
const atOnce = 2 ** 22

/** Neighbouring rows are read in one go. */
export function rowsOf({ name, shape, dtype }: TensorInfo, read: ReadElements): Rows {
  const [count = 0, width = 1] = shape
  const most = Math.max(1, Math.floor(atOnce / width))
  return {
    name,
    count,
    width,
    async take(ids) {
      const data = new Float32Array(ids.length * width)
      for (let at = 0; at < ids.length;) {
        const first = ids[at]!
        if (!(first >= 0 && first < count))
          throw fault('internal', { place: name, what: 'no such row', seen: first, wanted: `below ${count}` })
        let length = 1
        while (length < most && ids[at + length] === first + length && first + length < count) length++
        data.set(widen(await read(first * width, (first + length) * width), dtype), at * width)
        at += length
      }
      return { rows: ids.length, width, data }
    },
    async *blocks() {
      for (let from = 0; from < count; from += most) {
        const to = Math.min(count, from + most)
        yield { rows: to - from, width, data: widen(await read(from * width, to * width), dtype) }
      }
    },
  }
}

/** Mean of all rows, in float64. */
export async function meanRow(rows: Rows): Promise<Float64Array> {
  const out = new Float64Array(rows.width)
  for await (const { rows: count, width, data } of rows.blocks()) {
    for (let i = 0; i < count; i++) for (let d = 0; d < width; d++) out[d] = out[d]! + data[i * width + d]! / rows.count
  }
  return out
}
