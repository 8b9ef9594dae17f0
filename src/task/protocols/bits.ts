/**
 * Cosines of vectors of zeros and ones from counts, which are exact: equal ones are equal to the last bit, where rounded
 * sums would put ties in an order of their own.
 */
import type { Matrix } from '#core'
import { pairedDot, timesTransposed } from '#platform/linalg'

/** Cosine of row i of `a` to row i of `b`; 0 wherever a row is zero. */
export function pairedBitCosine(a: Matrix, b: Matrix): Float32Array {
  const [onesA, onesB, both] = [ones(a), ones(b), pairedDot(a, b)]
  return both.map((count, row) => cosine(count, onesA[row] ?? 0, onesB[row] ?? 0))
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
  let [both, onesA, onesB] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [bitA, bitB] = [a[at] ?? 0, b[at] ?? 0]
    both += bitA * bitB
    onesA += bitA
    onesB += bitB
  }
  return Math.fround(cosine(both, onesA, onesB))
}

function cosine(both: number, onesA: number, onesB: number): number {
  return both === 0 ? 0 : both / Math.sqrt(onesA * onesB)
}

function ones(bits: Matrix): Float32Array {
  return pairedDot(bits, bits)
}
