/** Rows by number in float64, each computed with once however often it occurs. */
import type { Matrix, Matrix64 } from '#core'

/**
 * The different numbers among `ids` in order of first occurrence, and where each entry of `ids` stands among them.
 * Numbers are below `limit`.
 */
export function numbered(ids: Int32Array, limit: number): { distinct: Int32Array; position: Int32Array } {
  const place = new Int32Array(limit).fill(-1)
  const distinct = new Int32Array(ids.length)
  const position = new Int32Array(ids.length)
  let count = 0
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    if (place[id]! < 0) {
      place[id] = count
      distinct[count++] = id
    }
    position[i] = place[id]!
  }
  return { distinct: distinct.slice(0, count), position }
}

/** The rows at `ids` from `start` up to `end`, in float64. */
export function gathered({ width, data }: Matrix, ids: Int32Array, start = 0, end = ids.length): Matrix64 {
  const out = new Float64Array((end - start) * width)
  for (let i = start; i < end; i++) {
    const from = ids[i]! * width
    const to = (i - start) * width
    for (let k = 0; k < width; k++) out[to + k] = data[from + k]!
  }
  return { rows: end - start, width, data: out }
}

/** ‖row‖² of every row. */
export function squaredNorms({ rows, width, data }: Matrix64): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    let sum = 0
    for (let k = i * width; k < (i + 1) * width; k++) sum += data[k]! * data[k]!
    return sum
  })
}
