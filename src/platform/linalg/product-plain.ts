/** Products of dense matrices in plain loops. */
import type { Floats, Matrix } from '#core'

/** a · bᵀ → [a.rows × b.rows], row-major, of 4 × 4 accumulators. Sums run in float64 whatever the storage. */
export function timesTransposedPlain<Data extends Floats>(a: Matrix<Data>, b: Matrix<Data>, into?: Data): Data {
  const out = into ?? emptyLike(a.data, a.rows * b.rows)
  const [rows, cols] = [a.rows - (a.rows % 4), b.rows - (b.rows % 4)]
  for (let i = 0; i < rows; i += 4) for (let j = 0; j < cols; j += 4) tile(a.data, b.data, out, i, j, a.width, b.rows)
  for (let i = 0; i < a.rows; i++) {
    for (let j = i < rows ? cols : 0; j < b.rows; j++) {
      let sum = 0
      for (let k = 0; k < a.width; k++) sum += a.data[i * a.width + k]! * b.data[j * a.width + k]!
      out[i * b.rows + j] = sum
    }
  }
  return out
}

/** New memory of the same type. */
export function emptyLike<Data extends Floats>(like: Data, length: number): Data {
  return (like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)) as Data
}

/** Sixteen dot products at once: rows i … i+3 of a with rows j … j+3 of b. */
function tile(a: Floats, b: Floats, out: Floats, i: number, j: number, width: number, outWidth: number): void {
  const a0 = i * width
  const [a1, a2, a3] = [a0 + width, a0 + 2 * width, a0 + 3 * width]
  const b0 = j * width
  const [b1, b2, b3] = [b0 + width, b0 + 2 * width, b0 + 3 * width]
  let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0]
  let [s20, s21, s22, s23, s30, s31, s32, s33] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let k = 0; k < width; k++) {
    const w = b[b0 + k]!
    const x = b[b1 + k]!
    const y = b[b2 + k]!
    const z = b[b3 + k]!
    let v = a[a0 + k]!
    s00 += v * w
    s01 += v * x
    s02 += v * y
    s03 += v * z
    v = a[a1 + k]!
    s10 += v * w
    s11 += v * x
    s12 += v * y
    s13 += v * z
    v = a[a2 + k]!
    s20 += v * w
    s21 += v * x
    s22 += v * y
    s23 += v * z
    v = a[a3 + k]!
    s30 += v * w
    s31 += v * x
    s32 += v * y
    s33 += v * z
  }
  const [o0, o1, o2, o3] = [i * outWidth + j, (i + 1) * outWidth + j, (i + 2) * outWidth + j, (i + 3) * outWidth + j]
  out[o0] = s00
  out[o0 + 1] = s01
  out[o0 + 2] = s02
  out[o0 + 3] = s03
  out[o1] = s10
  out[o1 + 1] = s11
  out[o1 + 2] = s12
  out[o1 + 3] = s13
  out[o2] = s20
  out[o2 + 1] = s21
  out[o2 + 2] = s22
  out[o2 + 3] = s23
  out[o3] = s30
  out[o3 + 1] = s31
  out[o3 + 2] = s32
  out[o3 + 3] = s33
}
