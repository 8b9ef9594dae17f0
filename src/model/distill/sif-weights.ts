/** Smooth inverse frequency by rank: Arora et al. 2017, with Zipf's law in place of counts (model2vec). */

/**
 * Weight a / (a + p) of each of `count` tokens, whose order stands for their frequency: p = (1 / (rank + 2)) / Σ, ranks
 * from 0. Without a coefficient every weight is 1.
 */
export function sifWeights(count: number, coefficient: number | undefined): Float64Array {
  if (coefficient === undefined) return new Float64Array(count).fill(1)
  let sum = 0
  for (let rank = 0; rank < count; rank++) sum += 1 / (rank + 2)
  return Float64Array.from({ length: count }, (_, rank) => coefficient / (coefficient + 1 / (rank + 2) / sum))
}
