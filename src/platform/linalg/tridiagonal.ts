/** A symmetric matrix to tridiagonal form by Householder reflections, and back. Golub & Van Loan §8.3.1; the way back in blocks, §5.1.6 (compact WY). */
import type { Matrix64 } from '#core'
import { product } from './dense64.ts'
import { timesTransposed } from './product.ts'

export interface Tridiagonal {
  readonly diagonal: Float64Array
  /** off[i] joins i and i − 1; off[0] is unused. */
  readonly off: Float64Array
  /** Row i: the vector of a reflection I − scale[i] · v vᵀ of the first i coordinates. */
  readonly reflections: Matrix64
  readonly scales: Float64Array
}

/** a = Q T Qᵀ with Q = H_{n−1} … H_2. Only the lower triangle is read; 4/3 n³ multiply-adds, one pass over what is left of the matrix a step. */
export function tridiagonal({ rows: n, data }: Matrix64): Tridiagonal {
  const a = Float64Array.from(data)
  const [diagonal, off, scales] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  // The last reflection's update a ← a − v wᵀ − w vᵀ is made while the next one's product is formed.
  let v: Float64Array = new Float64Array(n)
  let w: Float64Array = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    for (let c = 0; c <= i; c++) a[i * n + c]! -= v[i]! * w[c]! + w[i]! * v[c]!
    diagonal[i] = a[i * n + i]!
    if (i === 0) break
    const x = a.subarray(i * n, i * n + i)
    const next = new Float64Array(n)
    const { length, scale } = reflection(x)
    off[i] = length
    scales[i] = scale
    next.set(x)
    const p = updatedProduct(a, n, i, v, w, next)
    let projection = 0
    for (let c = 0; c < i; c++) projection += p[c]! * next[c]!
    const half = (scale * scale * projection) / 2
    for (let c = 0; c < i; c++) p[c] = scale * p[c]! - half * next[c]!
    ;[v, w] = [next, p]
  }
  return { diagonal, off, reflections: { rows: n, width: n, data: a }, scales }
}

/** x ← v with (I − scale · v vᵀ) x = (0, …, 0, length). */
function reflection(x: Float64Array): { length: number; scale: number } {
  const last = x.length - 1
  let rest = 0
  for (let c = 0; c < last; c++) rest += x[c]! * x[c]!
  const end = x[last]!
  if (rest === 0) {
    x.fill(0)
    return { length: end, scale: 0 }
  }
  const length = end > 0 ? -Math.sqrt(rest + end * end) : Math.sqrt(rest + end * end)
  x[last] = end - length
  return { length, scale: 1 / (length * (length - end)) }
}

/** The leading size × size part of a ← a − v wᵀ − w vᵀ (lower triangle), and its product with `x`. */
function updatedProduct(a: Float64Array, n: number, size: number, v: Float64Array, w: Float64Array, x: Float64Array): Float64Array {
  const out = new Float64Array(n)
  for (let r = 0; r < size; r++) {
    const [vr, wr, xr, at] = [v[r]!, w[r]!, x[r]!, r * n]
    let sum = 0
    for (let c = 0; c < r; c++) {
      const value = a[at + c]! - vr * w[c]! - wr * v[c]!
      a[at + c] = value
      sum += value * x[c]!
      out[c]! += value * xr
    }
    const value = a[at + r]! - 2 * vr * wr
    a[at + r] = value
    out[r]! += sum + value * xr
  }
  return out
}

const block = 64

/** Rows z of `vectors` (eigenvectors of T) → rows Q z. */
export async function fromTridiagonal(vectors: Matrix64, { reflections, scales }: Tridiagonal): Promise<Matrix64> {
  const n = reflections.width
  const data = Float64Array.from(vectors.data)
  for (let first = 1; first < n; first += block) {
    const end = Math.min(n, first + block)
    // columns from `end` on are untouched by these reflections
    const v = { rows: end - first, width: end, data: new Float64Array((end - first) * end) }
    for (let i = first; i < end; i++) v.data.set(reflections.data.subarray(i * n, i * n + i), (i - first) * end)
    const part = { rows: vectors.rows, width: end, data: new Float64Array(vectors.rows * end) }
    for (let r = 0; r < vectors.rows; r++) part.data.set(data.subarray(r * n, r * n + end), r * end)
    const along = { rows: vectors.rows, width: v.rows, data: await timesTransposed(part, v) }
    const mixed = await product(along, triangle(await timesTransposed(v, v), scales.subarray(first, end)))
    const change = await product(mixed, v)
    for (let r = 0; r < vectors.rows; r++) for (let c = 0; c < end; c++) data[r * n + c]! -= change.data[r * end + c]!
  }
  return { rows: vectors.rows, width: n, data }
}

/** T of H_1 H_2 … = I − V T Vᵀ, from the products of the vectors. */
function triangle(products: Float64Array, scales: Float64Array): Matrix64 {
  const k = scales.length
  const t = new Float64Array(k * k)
  for (let j = 0; j < k; j++) {
    t[j * k + j] = scales[j]!
    for (let i = 0; i < j; i++) {
      let sum = 0
      for (let m = i; m < j; m++) sum += t[i * k + m]! * products[m * k + j]!
      t[i * k + j] = -scales[j]! * sum
    }
  }
  return { rows: k, width: k, data: t }
}
