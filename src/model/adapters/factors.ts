/**
 * A change of a weight as the product of two thin matrices: the nearest of its rank (Eckart & Young 1936), in the
 * layout of LoRA (Hu et al. 2021).
 */
import type { Matrix64 } from '#core'
import { svd } from '#platform/linalg'

export interface FactorOptions {
  /** Largest rank; the product is the nearest of that rank in the Frobenius norm. */
  maxRank: number
  /** Singular values at or below this are left out; 0 keeps all of them. */
  epsilon?: number | undefined
  /** √S on both sides; otherwise all of S goes to A. */
  distribute?: boolean | undefined
}

export interface Factors {
  readonly rank: number
  /** [rank × in] */
  readonly a: Float32Array
  /** [out × rank] */
  readonly b: Float32Array
  /** Squared Frobenius norms of the change and of what B·A holds of it. */
  readonly total: number
  readonly kept: number
}

/**
 * B·A ≈ change [out × in]. The rank is what the shape and the options allow, also where the change has less: the rest
 * of both factors is zero then, so that ranks are known before anything is decomposed. Never below one, as an adapter
 * of rank zero cannot be loaded. mergekit
 * `extract-lora`.
 */
export async function loraFactors(
  change: Matrix64,
  { maxRank, epsilon = 0, distribute = true }: FactorOptions,
): Promise<Factors> {
  const { rows, width } = change
  const full = Math.min(maxRank, rows, width)
  const { u, s, v } = await svd(change, { largest: full })
  const rank = epsilon > 0 ? Math.max(1, Math.min(full, s.filter((value) => value > epsilon).length)) : full
  const found = epsilon > 0 ? Math.min(rank, s.filter((value) => value > epsilon).length) : Math.min(rank, s.length)
  const [a, b] = [new Float32Array(rank * width), new Float32Array(rows * rank)]
  let kept = 0
  for (let k = 0; k < found; k++) {
    const value = s[k]!
    const [left, right] = distribute ? [Math.sqrt(value), Math.sqrt(value)] : [1, value]
    kept += value * value
    for (let i = 0; i < width; i++) a[k * width + i] = right * v.data[i * v.width + k]!
    for (let i = 0; i < rows; i++) b[i * rank + k] = left * u.data[i * u.width + k]!
  }
  return { rank, a, b, total: change.data.reduce((sum, value) => sum + value * value, 0), kept }
}
