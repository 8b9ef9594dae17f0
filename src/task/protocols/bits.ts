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
  const both = await timesTransposed(a, b)
  return both.map((count, at) => cosine(count, onesA[Math.floor(at / b.rows)] ?? 0, onesB[at % b.rows] ?? 0))
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
  for (let at = 0; at < data.length; at++) counts[Math.floor(at / width)]! += data[at] ?? 0
  return counts
}
