/**
 * A symmetric matrix to tridiagonal form by Householder reflections, and back. Golub & Van Loan §8.3.1; the way back in
 * blocks, §5.1.6 (compact WY).
 */
import type { Matrix64 } from '#core'
import { columns, product, rowOf, stacked } from './dense64.ts'
import { timesTransposed, transposed } from './product.ts'
import { symmetricTimes, type SymmetricTimes } from './symmetric-times.ts'

export interface Tridiagonal {
  readonly diagonal: Float64Array
  /** off[i] joins i and i − 1; off[0] is unused. */
  readonly off: Float64Array
  /** Row i: the vector of a reflection I − scale[i] · v vᵀ of the first i coordinates. */
  readonly reflections: Matrix64
  readonly scales: Float64Array
}

/** Rows reduced before the rest of the matrix is updated, in one product. */
const panel = 32
/** Rows of that product at a time: the upper triangle is left out as far as blocks of these go. */
const strip = 512

/**
 * a = Q T Qᵀ with Q = H_{n−1} … H_2; both triangles must stand. 4/3 n³ multiply-adds, half of them in products on the
 * engine (Dongarra, Hammarling & Sorensen 1989).
 */
export async function tridiagonal({ rows: n, data }: Matrix64): Promise<Tridiagonal> {
  const [diagonal, off, scales] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  const reflections = { rows: n, width: n, data: new Float64Array(n * n) }
  const work = symmetricTimes(n)
  try {
    const { entries, stride } = work
    entries.fill(0)
    for (let r = 0; r < n; r++) entries.set(data.subarray(r * n, (r + 1) * n), r * stride)
    for (let end = n; end > 0; end -= panel) {
      const first = Math.max(0, end - panel)
      const [vs, ws]: [Float64Array[], Float64Array[]] = [[], []]
      for (let i = end - 1; i >= first; i--) {
        const row = rowOf(reflections, i).subarray(0, i + 1)
        row.set(entries.subarray(i * stride, i * stride + i + 1))
        vs.forEach((v, k) => {
          const w = ws[k]!
          add(row, w, -v[i]!)
          add(row, v, -w[i]!)
        })
        diagonal[i] = row[i]!
        row[i] = 0
        if (i === 0) break
        const x = row.subarray(0, i)
        const { length, scale } = reflection(x)
        off[i] = length
        scales[i] = scale
        const p = work.times(x).slice()
        vs.forEach((v, k) => {
          const w = ws[k]!
          const [along, across] = [dot(x, v), dot(x, w)]
          add(p, w, -along)
          add(p, v, -across)
        })
        const half = (scale * scale * dot(x, p)) / 2
        for (let c = 0; c < i; c++) p[c] = scale * p[c]! - half * x[c]!
        vs.push(x)
        ws.push(p)
      }
      if (first > 0) await lessPanel(work, vs, ws, first)
    }
  } finally {
    work.release()
  }
  return { diagonal, off, reflections, scales }
}

/** The leading size × size part: a ← a − Σ v wᵀ + w vᵀ. */
async function lessPanel(
  { entries, stride }: SymmetricTimes,
  vs: readonly Float64Array[],
  ws: readonly Float64Array[],
  size: number,
): Promise<void> {
  const left = transposed(
    stacked(
      [...vs, ...ws].map((row) => row.subarray(0, size)),
      size,
    ),
  )
  const right = stacked(
    [...ws, ...vs].map((row) => row.subarray(0, size)),
    size,
  )
  for (let from = 0; from < size; from += strip) {
    const to = Math.min(size, from + strip)
    const rows = { rows: to - from, width: left.width, data: left.data.subarray(from * left.width, to * left.width) }
    const { data } = await product(rows, columns(right, 0, to))
    for (let r = from; r < to; r++) {
      const [at, own] = [r * stride, (r - from) * to]
      // up to the end of the row's group of four, where both triangles are read
      const last = Math.min(to, (r & -4) + 4)
      for (let c = 0; c < last; c++) entries[at + c]! -= data[own + c]!
    }
  }
}

/** Dot product over the first row's length. */
function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** a ← a + factor · b, as long as a. */
function add(a: Float64Array, b: Float64Array, factor: number): void {
  for (let i = 0; i < a.length; i++) a[i]! += factor * b[i]!
}

/**
 * x ← v with (I − scale · v vᵀ) x = (0, …, 0, length). v is about 1 long, however small x is: the reduction takes the
 * square of `scale`, so the fourth power of v's length, which for 1e-78 is none (dlarfg of LAPACK scales too).
 */
function reflection(x: Float64Array): { length: number; scale: number } {
  const last = x.length - 1
  let largest = 0
  for (let c = 0; c <= last; c++) largest = Math.max(largest, Math.abs(x[c]!))
  // a power of two changes no digit
  const unit = largest === 0 ? 1 : 2 ** Math.floor(Math.log2(largest))
  for (let c = 0; c <= last; c++) x[c]! /= unit
  let rest = 0
  for (let c = 0; c < last; c++) rest += x[c]! * x[c]!
  const end = x[last]!
  if (rest === 0) {
    x.fill(0)
    return { length: end * unit, scale: 0 }
  }
  const length = end > 0 ? -Math.sqrt(rest + end * end) : Math.sqrt(rest + end * end)
  x[last] = end - length
  return { length: length * unit, scale: 1 / (length * (length - end)) }
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
