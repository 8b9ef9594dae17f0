/** Canonical correlations of two layers: how far one is a linear image of the other. */
import type { Matrix, Matrix64 } from '#core'
import { columns, svd, timesTransposed, transposed } from '#platform/linalg'
import { centred } from './centre.ts'

/** The directions in which the centred texts of a layer lie. */
export interface Basis {
  /** [texts × rank], orthonormal columns. */
  readonly u: Matrix64
  /** Singular values, descending. */
  readonly s: Float64Array
  /** The centred layer, [texts × width]. */
  readonly x: Matrix64
}

/** With `share`: only the first directions that hold this share of the variance. */
export async function basisOf(layer: Matrix, share = 1): Promise<Basis> {
  const x = centred(layer)
  const { u, s } = await svd(x)
  if (share >= 1) return { u, s, x }
  const total = s.reduce((sum, value) => sum + value * value, 0)
  let [kept, held] = [0, 0]
  while (kept < s.length && held < share * total) held += s[kept++]! ** 2
  return { u: columns(u, 0, kept), s: s.subarray(0, kept), x }
}

/** Correlations, descending, at most 1, and the canonical directions of the first layer as columns [texts × count]. */
export async function canonicalCorrelations(
  x: Basis,
  y: Basis,
): Promise<{ correlations: Float64Array; directions: () => Promise<Matrix64> }> {
  if (x.s.length === 0 || y.s.length === 0)
    return {
      correlations: new Float64Array(),
      directions: () => Promise.resolve({ rows: x.u.rows, width: 0, data: new Float64Array() }),
    }
  const cross: Matrix64 = {
    rows: x.s.length,
    width: y.s.length,
    data: await timesTransposed(transposed(x.u), transposed(y.u)),
  }
  const { u, s } = await svd(cross)
  return {
    correlations: s.map((value) => Math.min(1, value)),
    async directions() {
      return { rows: x.u.rows, width: u.width, data: await timesTransposed(x.u, transposed(u)) }
    },
  }
}
