/** Canonical correlation after both layers were cut to the directions that carry their variance. */
import { basisOf, canonicalCorrelations } from './canonical.ts'
import { pairwise, type Similarity } from './similarity.ts'

/** Share of the variance that is kept of each layer. */
const kept = 0.99

/**
 * Mean canonical correlation of the directions that hold 99 % of each layer's variance; a layer without variance is
 * like nothing.
 */
export const svcca: Similarity = {
  name: 'svcca',
  title: 'SVCCA',
  reference: 'Raghu et al. 2017, https://arxiv.org/abs/1706.05806',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise({
    symmetric: true,
    ready: (layer) => basisOf(layer, kept),
    async pair(x, y) {
      const fewer = Math.min(x.s.length, y.s.length)
      if (fewer === 0) return 0
      const { correlations } = await canonicalCorrelations(x, y)
      return correlations.reduce((sum, value) => sum + value, 0) / fewer
    },
  }),
}
