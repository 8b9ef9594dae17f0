/** Smooth inverse frequency by rank: Arora et al. 2017, with Zipf's law in place of counts (model2vec). */

import type { Matrix } from '#core'

/**
 * Weight a / (a + p) of each of `count` tokens, whose order stands for their frequency: p = (1 / (rank + 2)) / Σ, ranks
 * from 0. Without a coefficient every weight is 1.
 *
 * @example
 * ```ts
 * import { sifWeights } from 'strata-lm/distill'
 *
 * console.log([...sifWeights(2, 0.4)].map((weight) => weight.toFixed(2)).join(' ')) // → 0.40 0.50
 * ```
 */
export function sifWeights(count: number, coefficient: number | undefined): Float64Array {
  if (coefficient === undefined) return new Float64Array(count).fill(1)
  let sum = 0
  for (let rank = 0; rank < count; rank++) sum += 1 / (rank + 2)
  return Float64Array.from({ length: count }, (_, rank) => coefficient / (coefficient + 1 / (rank + 2) / sum))
}

/** Each row times its weight, in place. */
export function weighRows({ rows, width, data }: Matrix, weights: Float64Array): void {
  for (let i = 0; i < rows; i++) {
    const weight = weights[i] ?? 0
    for (let k = 0; k < width; k++) data[i * width + k] = (data[i * width + k] ?? 0) * weight
  }
}
