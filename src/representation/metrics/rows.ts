/** Rows and columns made ready: centred, the first few. */
import type { Matrix64 } from '#core'

/** Means are taken from the first row on: a column of one value is exactly 0. */
export function centredColumns({ rows, width, data }: Matrix64): Matrix64 {
  const means = new Float64Array(width)
  for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) means[k]! += data[i * width + k]! - data[k]!
  for (let k = 0; k < width; k++) means[k] = data[k]! + means[k]! / rows
  const out = new Float64Array(rows * width)
  for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) out[i * width + k] = data[i * width + k]! - means[k]!
  return { rows, width, data: out }
}

export function firstRows({ rows, width, data }: Matrix64, most: number): Matrix64 {
  const count = Math.min(rows, most)
  return { rows: count, width, data: data.subarray(0, count * width) }
}

/** Values of the pairs i < j of a [n × n] table, row by row. */
export function upperTriangle(table: Float64Array, n: number): Float64Array {
  const out = new Float64Array((n * (n - 1)) / 2)
  let at = 0
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) out[at++] = table[i * n + j]!
  return out
}
