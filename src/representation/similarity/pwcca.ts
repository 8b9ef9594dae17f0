/** Canonical correlation in which a direction counts as much as it says of the first layer. */
import { timesTransposed, transposed } from '#platform/linalg'
import { basisOf, canonicalCorrelations } from './canonical.ts'
import { pairwise, type Similarity } from './similarity.ts'

/**
 * Σ α_i ρ_i / Σ α_i with α_i = Σ_j |⟨h_i, x_j⟩|: canonical directions h of the first layer, its centred columns x. Not
 * symmetric.
 */
export const pwcca: Similarity = {
  name: 'pwcca',
  title: 'PWCCA',
  reference: 'Morcos, Raghu and Bengio 2018, https://arxiv.org/abs/1806.05759',
  range: [0, 1],
  symmetric: false,
  widths: 'any',
  between: pairwise({
    symmetric: false,
    ready: (layer) => basisOf(layer),
    async pair(x, y) {
      if (x.s.length === 0 || y.s.length === 0) return 0
      const { correlations, directions } = await canonicalCorrelations(x, y)
      const shares = await timesTransposed(transposed(await directions()), transposed(x.x))
      const { width } = x.x
      let [sum, weights] = [0, 0]
      for (const [i, rho] of correlations.entries()) {
        const weight = shares.subarray(i * width, (i + 1) * width).reduce((total, value) => total + Math.abs(value), 0)
        sum += weight * rho
        weights += weight
      }
      return weights === 0 ? 0 : sum / weights
    },
  }),
}
