/**
 * Cosines of vectors of zeros and ones from counts, which are exact: equal ones are equal to the last bit, where rounded
 * sums would put ties in an order of their own.
 */
import { matrix, type Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'

/** Cosine of row i of `a` to row i of `b`; 0 wherever a row is zero. */
export function pairedBitCosine(a: Matrix, b: Matrix): Float32Array {
  const [onesA, onesB] = [ones(a), ones(b)]
  return Float32Array.from({ length: a.rows }, (_, row) => {
    let both = 0
    for (let at = row * a.width; at < (row + 1) * a.width; at++) both += (a.data[at] ?? 0) * (b.data[at] ?? 0)
    return cosine(both, onesA[row] ?? 0, onesB[row] ?? 0)
  })
}

/** Every row of `a` against every row of `b`, [a.rows × b.rows]. */
export async function bitCosines(a: Matrix, b: Matrix): Promise<Float32Array> {
  const [onesA, onesB] = [ones(a), ones(b)]
  const table = await timesTransposed(a, b)
  for (let at = 0, row = 0; row < a.rows; row++)
    for (let column = 0; column < b.rows; column++, at++)
      table[at] = cosine(table[at] ?? 0, onesA[row] ?? 0, onesB[column] ?? 0)
  return table
}

/** One vector against another. */
export function bitCosine(a: Float32Array, b: Float32Array): number {
  const [value = 0] = pairedBitCosine(matrix(1, a.length, a), matrix(1, b.length, b))
  return value
}

function cosine(both: number, onesA: number, onesB: number): number {
  return both === 0 ? 0 : both / Math.sqrt(onesA * onesB)
}

function ones({ rows, width, data }: Matrix): Float64Array {
  const counts = new Float64Array(rows)
  for (let at = 0, row = 0; row < rows; row++)
    for (const end = at + width; at < end; at++) counts[row]! += data[at] ?? 0
  return counts
}
