/** Float64 matrices: products and pieces. */
import type { Matrix64 } from '#core'
import { matmul } from '#platform/runtime'
import { timesTransposedPlain } from './product-plain.ts'
import { transposed } from './product.ts'

const worthTheEngine = 2 ** 20

/** a · b */
export async function product(a: Matrix64, b: Matrix64): Promise<Matrix64> {
  if (a.rows * b.width * a.width >= worthTheEngine) return matmul(a, b, { dtype: 'float64' })
  return { rows: a.rows, width: b.width, data: timesTransposedPlain(a, transposed(b)) }
}

export function rowOf({ data, width }: Matrix64, i: number): Float64Array {
  return data.subarray(i * width, (i + 1) * width)
}

/** Rows one below the other, copied. */
export function stacked(rows: readonly Float64Array[], width: number): Matrix64 {
  const data = new Float64Array(rows.length * width)
  rows.forEach((row, i) => data.set(row, i * width))
  return { rows: rows.length, width, data }
}

/** Columns from … to − 1. */
export function columns({ rows, width, data }: Matrix64, from: number, to: number): Matrix64 {
  const out = new Float64Array(rows * (to - from))
  for (let i = 0; i < rows; i++) out.set(data.subarray(i * width + from, i * width + to), i * (to - from))
  return { rows, width: to - from, data: out }
}

/** Matrices of the same height side by side. */
export function joined(parts: readonly Matrix64[]): Matrix64 {
  const [rows, width] = [parts[0]?.rows ?? 0, parts.reduce((sum, part) => sum + part.width, 0)]
  const data = new Float64Array(rows * width)
  let at = 0
  for (const part of parts) {
    for (let i = 0; i < rows; i++) data.set(rowOf(part, i), i * width + at)
    at += part.width
  }
  return { rows, width, data }
}

/** Matrices of the same width one below the other. */
export function joinedRows(parts: readonly Matrix64[]): Matrix64 {
  const data = new Float64Array(parts.reduce((sum, part) => sum + part.data.length, 0))
  let at = 0
  for (const part of parts) {
    data.set(part.data, at)
    at += part.data.length
  }
  return { rows: parts.reduce((sum, part) => sum + part.rows, 0), width: parts[0]?.width ?? 0, data }
}

/** Column j times factor j. */
export function scaleColumns({ rows, width, data }: Matrix64, factors: Float64Array): Matrix64 {
  const out = new Float64Array(data.length)
  for (let i = 0; i < rows; i++) for (let j = 0; j < width; j++) out[i * width + j] = data[i * width + j]! * factors[j]!
  return { rows, width, data: out }
}
