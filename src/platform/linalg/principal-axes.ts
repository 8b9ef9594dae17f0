/** The largest eigenvalues of a symmetric matrix, with their vectors. */
import { fault, type Matrix64 } from '#core'
import { krylovEigen } from './krylov.ts'
import { ordinary } from './ordinary.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

/** Below this size, or with more than this share of them wanted, all eigenvectors are found as fast. */
const [smallest, share] = [1024, 1 / 5]

export interface PrincipalAxes {
  /** Descending. */
  readonly values: Float64Array
  /** [count × n], rows of unit length, the entry of largest magnitude positive. */
  readonly vectors: Matrix64
}

/**
 * The `count` largest eigenvalues of a symmetric matrix [n × n] – a covariance – with their vectors, or all n where
 * `count` is more. Throws `tensor.value` for a matrix that is not finite.
 *
 * @example
 * ```ts
 * import { principalAxes } from 'strata-lm/linalg'
 *
 * const covariance = { rows: 2, width: 2, data: Float64Array.of(5, 0, 0, 1) }
 * const { values, vectors } = await principalAxes(covariance, 1)
 * console.log(values[0], [...vectors.data]) // → 5 [ 1, 0 ]
 * ```
 */
export async function principalAxes(symmetric: Matrix64, count: number): Promise<PrincipalAxes> {
  const n = symmetric.rows
  const { matrix, unit } = ordinary(symmetric)
  if (Number.isNaN(unit))
    throw fault('tensor.value', {
      place: 'principal axes',
      what: 'the covariance is not finite: a vector holds NaN or infinity',
    })
  const most = Math.min(count, n)
  const { values, vectors } = await (n < smallest || most > share * n
    ? symmetricEigen(matrix, most)
    : krylovEigen(matrix, most))
  const own = vectors.data.slice(0, most * n)
  for (let k = 0; k < most; k++) {
    const axis = own.subarray(k * n, (k + 1) * n)
    let top = 0
    for (let i = 1; i < n; i++) if (Math.abs(axis[i]!) > Math.abs(axis[top]!)) top = i
    if (axis[top]! < 0) for (let i = 0; i < n; i++) axis[i] = -axis[i]!
  }
  return { values: values.slice(0, most).map((value) => value * unit), vectors: { rows: most, width: n, data: own } }
}
