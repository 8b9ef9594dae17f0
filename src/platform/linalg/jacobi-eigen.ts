import type { Matrix64 } from '#core'
/** Jacobi's method, for small symmetric matrices. */

export interface SymmetricEigen {
  /** Descending. */
  readonly values: Float64Array
  /** One vector per row, orthonormal. */
  readonly vectors: Matrix64
}

/** Cyclic Jacobi rotations (Golub & Van Loan §8.5.3): for small matrices. */
export function jacobiEigen({ rows: n, data }: Matrix64): SymmetricEigen {
  const a = Float64Array.from(data)
  const vectors = new Float64Array(n * n)
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1
  for (let sweep = 0; sweep < 60; sweep++) {
    let rotated = false
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const off = a[p * n + q]!
        if (
          Math.abs(off) <= Number.EPSILON * Math.sqrt(Math.abs(a[p * n + p]! * a[q * n + q]!)) ||
          Math.abs(off) < 1e-300
        )
          continue
        rotated = true
        rotate(a, vectors, n, p, q)
      }
    }
    if (!rotated) break
  }
  return sorted(
    Float64Array.from({ length: n }, (_, i) => a[i * n + i]!),
    { rows: n, width: n, data: vectors },
  )
}

/** Zeroes a[p, q]; the same rotation of the vectors. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * a[p * n + q]!)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const c = 1 / Math.hypot(t, 1)
  const s = t * c
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + p]!, a[k * n + q]!]
    a[k * n + p] = c * x - s * y
    a[k * n + q] = s * x + c * y
  }
  for (const m of [a, vectors]) {
    for (let k = 0; k < n; k++) {
      const [x, y] = [m[p * n + k]!, m[q * n + k]!]
      m[p * n + k] = c * x - s * y
      m[q * n + k] = s * x + c * y
    }
  }
  a[p * n + q] = 0
  a[q * n + p] = 0
}

/** Rows reordered by descending value. */
function sorted(values: Float64Array, vectors: Matrix64): SymmetricEigen {
  const order = Array.from(values.keys()).sort((i, j) => values[j]! - values[i]!)
  const data = new Float64Array(vectors.data.length)
  order.forEach((from, to) =>
    data.set(vectors.data.subarray(from * vectors.width, (from + 1) * vectors.width), to * vectors.width),
  )
  return { values: Float64Array.from(order, (i) => values[i]!), vectors: { ...vectors, data } }
}
