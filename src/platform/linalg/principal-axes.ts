/** The largest eigenvalues of a symmetric matrix, with their vectors. */
import { fault, type Matrix64 } from '#core'
import { symmetricEigen } from './symmetric-eigen.ts'

/** `count` of them, descending; vectors [count × n] by row, of unit length, the entry of largest magnitude positive. Throws `tensor.value` for a matrix that is not finite. */
export async function principalAxes(symmetric: Matrix64, count: number): Promise<{ values: Float64Array; vectors: Matrix64 }> {
  const { rows: n, data } = symmetric
  if (!data.every((value) => Number.isFinite(value)))
    throw fault('tensor.value', { place: 'principal axes', what: 'the covariance is not finite: a vector holds NaN or infinity' })
  const { values, vectors } = await symmetricEigen(symmetric)
  const own = vectors.data.slice(0, count * n)
  for (let k = 0; k < count; k++) {
    const axis = own.subarray(k * n, (k + 1) * n)
    let top = 0
    for (let i = 1; i < n; i++) if (Math.abs(axis[i]!) > Math.abs(axis[top]!)) top = i
    if (axis[top]! < 0) for (let i = 0; i < n; i++) axis[i] = -axis[i]!
  }
  return { values: values.slice(0, count), vectors: { rows: count, width: n, data: own } }
}
