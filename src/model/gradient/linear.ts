/** Linear layers over the rows of a matrix. */
import type { Matrix64 } from '#core'
import { timesTransposed } from '#platform/linalg'
import type { Linear } from './parameters.ts'

/** x · weightᵀ + bias: [rows × outputs]. */
export async function linear(x: Matrix64, { weight, bias }: Linear): Promise<Matrix64> {
  const data = await timesTransposed(x, weight)
  if (bias === undefined) return { rows: x.rows, width: weight.rows, data }
  for (let r = 0; r < x.rows; r++)
    for (let k = 0; k < weight.rows; k++) data[r * weight.rows + k] = data[r * weight.rows + k]! + bias.data[k]!
  return { rows: x.rows, width: weight.rows, data }
}

/** a + b */
export function added(a: Matrix64, b: Matrix64): Matrix64 {
  // a loop: `map` takes several times as long, here and in `times`
  const data = new Float64Array(a.data.length)
  for (let k = 0; k < data.length; k++) data[k] = a.data[k]! + b.data[k]!
  return { ...a, data }
}

/** a ∘ b, element by element */
export function times(a: Matrix64, b: Matrix64): Matrix64 {
  const data = new Float64Array(a.data.length)
  for (let k = 0; k < data.length; k++) data[k] = a.data[k]! * b.data[k]!
  return { ...a, data }
}

/** Rows at `places`, copied: [places × width]. */
export function rowsAt({ width, data }: Matrix64, places: ArrayLike<number>): Matrix64 {
  const out = new Float64Array(places.length * width)
  for (let i = 0; i < places.length; i++)
    out.set(data.subarray(places[i]! * width, (places[i]! + 1) * width), i * width)
  return { rows: places.length, width, data: out }
}

/** The other way round: rows at `places` of [rows × width], zeros elsewhere. */
export function rowsInto({ width, data }: Matrix64, places: ArrayLike<number>, rows: number): Matrix64 {
  const out = new Float64Array(rows * width)
  for (let i = 0; i < places.length; i++) out.set(data.subarray(i * width, (i + 1) * width), places[i]! * width)
  return { rows, width, data: out }
}
