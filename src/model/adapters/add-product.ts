/** A thin product added to a weight: what every kind of LoRA does to it. */

/**
 * W + scale · left · right, summed in float64. Four of the rank's terms at a time: the sum is then loaded and stored a
 * quarter as often.
 */
export function addProduct(
  weight: Float32Array,
  left: Float32Array,
  right: Float32Array,
  { rows, columns, rank, scale }: { rows: number; columns: number; rank: number; scale: number },
): Float32Array {
  const terms = Math.ceil(rank / 4) * 4
  const padded = new Float32Array(terms * columns)
  padded.set(right)
  const out = new Float32Array(rows * columns)
  const [sum, factor] = [new Float64Array(columns), new Float64Array(terms)]
  for (let row = 0; row < rows; row++) {
    sum.set(weight.subarray(row * columns, (row + 1) * columns))
    for (let k = 0; k < rank; k++) factor[k] = scale * left[row * rank + k]!
    for (let k = 0; k < terms; k += 4) {
      const [f0, f1, f2, f3] = [factor[k]!, factor[k + 1]!, factor[k + 2]!, factor[k + 3]!]
      const [r0, r1, r2, r3] = [k * columns, (k + 1) * columns, (k + 2) * columns, (k + 3) * columns]
      for (let i = 0; i < columns; i++)
        sum[i]! += f0 * padded[r0 + i]! + f1 * padded[r1 + i]! + f2 * padded[r2 + i]! + f3 * padded[r3 + i]!
    }
    out.set(sum, row * columns)
  }
  return out
}
