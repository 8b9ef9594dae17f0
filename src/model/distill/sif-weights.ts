/** Smooth inverse frequency: Arora et al. 2017, by counts, or with Zipf's law in their place (model2vec). */

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

/**
 * Weight a / (a + p) of each token, p its share of all counts. A token that was not counted has p = 0 and weight 1.
 *
 * @example
 * ```ts
 * import { frequencyWeights } from 'strata-lm/distill'
 *
 * console.log([...frequencyWeights([3, 1, 0], 0.25)]) // → [ 0.25, 0.5, 1 ]
 * ```
 */
export function frequencyWeights(counts: ArrayLike<number>, coefficient: number): Float64Array {
  let total = 0
  for (let i = 0; i < counts.length; i++) total += counts[i] ?? 0
  return Float64Array.from(counts, (count) => coefficient / (coefficient + (total === 0 ? 0 : count / total)))
}

/** Each row times its weight, in place. */
export function weighRows({ rows, width, data }: Matrix, weights: Float64Array): void {
  for (let i = 0; i < rows; i++) {
    const weight = weights[i] ?? 0
    for (let k = 0; k < width; k++) data[i * width + k] = (data[i * width + k] ?? 0) * weight
  }
}
