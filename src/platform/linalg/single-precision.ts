/**
 * Float32 sums in the order in which NumPy and OpenBLAS (0.3.3x with AVX-512) take them: for the rare rows where the
 * last place decides.
 */

/**
 * Products of at most this many features are one chain; longer rows are cut (OpenBLAS, GEMM_Q of SkylakeX; cuts are
 * multiples of 16).
 */
const chainLength = 448

/**
 * ‖v‖² as `numpy.einsum('ij,ij->i')`: four lanes, sixteen features at a time from the last four back, lanes added in
 * pairs.
 */
export function squaredNorm(v: Float32Array): number {
  const { fround } = Math
  const lanes = [0, 0, 0, 0]
  const add = (from: number): void => {
    for (let lane = 0; lane < 4; lane++) {
      const value = v[from + lane] ?? 0
      lanes[lane] = fround(lanes[lane]! + fround(value * value))
    }
  }
  let at = 0
  for (; v.length - at >= 16; at += 16) for (let part = 12; part >= 0; part -= 4) add(at + part)
  for (; at < v.length; at += 4) add(at)
  return fround(fround(lanes[0]! + lanes[1]!) + fround(lanes[2]! + lanes[3]!))
}

/** norm − 2 x·c as `gemm` accumulates it: a chain of fused multiply-adds for each cut of the features. */
export function singleValue(x: Float32Array, c: Float32Array, norm: number): number {
  const { fround } = Math
  let value = norm
  for (let start = 0; start < x.length;) {
    const end = start + cutLength(x.length - start)
    let sum = 0
    // a product of two float32 numbers is exact in float64
    for (let k = start; k < end; k++) sum = fround(sum + x[k]! * c[k]!)
    value = fround(value - 2 * sum)
    start = end
  }
  return value
}

/** Number of features in the next chain, given the number left: half of them where a whole chain would leave few. */
function cutLength(left: number): number {
  if (left >= 2 * chainLength) return chainLength
  return left > chainLength ? Math.ceil(Math.floor(left / 2) / 16) * 16 : left
}
