/** Means and products of many rows, in float64. */
import type { Matrix, Matrix64 } from '#core'
import { timesTransposed, transposed } from '#platform/linalg'

/** Rows widened at once. */
const step = 4096

export function meanOf({ rows, width, data }: Matrix): Float64Array {
  const out = new Float64Array(width)
  for (let i = 0; i < rows; i++) for (let d = 0; d < width; d++) out[d] = out[d]! + data[i * width + d]! / rows
  return out
}

/** (a − means)ᵀ (b − means) → [a.width × b.width]; rows aligned. */
export async function crossProduct(a: Matrix, meanA: Float64Array, b: Matrix, meanB: Float64Array): Promise<Matrix64> {
  const out = new Float64Array(a.width * b.width)
  for (let from = 0; from < a.rows; from += step) {
    const to = Math.min(a.rows, from + step)
    const part = await timesTransposed(centredColumns(a, meanA, from, to), centredColumns(b, meanB, from, to))
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + part[i]!
  }
  return { rows: a.width, width: b.width, data: out }
}

/** Rows from … to − 1 minus the mean, as columns: [width × rows]. */
function centredColumns({ width, data }: Matrix, mean: Float64Array, from: number, to: number): Matrix64 {
  const rows = to - from
  const out = new Float64Array(width * rows)
  for (let i = 0; i < rows; i++)
    for (let d = 0; d < width; d++) out[d * rows + i] = data[(from + i) * width + d]! - mean[d]!
  return { rows: width, width: rows, data: out }
}

/** Rows minus a mean. */
export function centred({ rows, width, data }: Matrix, mean: Float64Array): Matrix64 {
  return { rows, width, data: Float64Array.from(data, (value, i) => value - mean[i % width]!) }
}

/** a · b */
export async function product(a: Matrix64, b: Matrix64): Promise<Matrix64> {
  return { rows: a.rows, width: b.width, data: await timesTransposed(a, transposed(b)) }
}
