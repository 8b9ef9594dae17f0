/** A similarity matrix that a quadratic programme can use: symmetric, positive definite. */
import { symmetricEigen } from '#platform/linalg'

/** Eigenvalues below this share of the largest are rounding of 0. */
const rounding = 1e-12
/** Added to the diagonal of a singular matrix. */
const ridge = 1e-8

/**
 * `matrix` itself where it is positive definite; otherwise with its negative eigenvalues at 0 and a ridge of 1e-8.
 * Averages of Gram matrices of unit vectors (CKA, RSA) are never negative; overlaps and transformed matrices may be.
 */
export async function mended(matrix: Float64Array, n: number): Promise<{ matrix: Float64Array; warning?: string }> {
  const even = matrix.map((value, at) => (value + matrix[(at % n) * n + Math.floor(at / n)]!) / 2)
  const { values, vectors } = await symmetricEigen({ rows: n, width: n, data: even })
  const [largest, lowest] = [values[0] ?? 0, values[n - 1] ?? 0]
  if (lowest > rounding * largest) return { matrix: even }
  const negative = lowest < -rounding * largest
  const out = negative ? new Float64Array(n * n) : even
  if (negative)
    values.forEach((value, k) => {
      if (value <= 0) return
      const own = vectors.data.subarray(k * n, (k + 1) * n)
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[i * n + j]! += value * own[i]! * own[j]!
    })
  for (let i = 0; i < n; i++) out[i * n + i]! += ridge
  return negative
    ? {
        matrix: out,
        warning: `the similarity matrix is not positive semidefinite (lowest eigenvalue ${lowest.toExponential(1)}): negative eigenvalues were set to 0`,
      }
    : { matrix: out }
}
