/**
 * A weighted sum of the shared tokens that lie nearest in the donor. mergekit, `tokensurgeon/common_interpolation.py`.
 */
import type { Approximation } from '../approximation.ts'
import { combined } from '../combine.ts'
import { neighbourWeights } from '../interpolation.ts'
import { nearestPoints } from '../nearest-points.ts'

export const commonInterpolation: Approximation = {
  name: 'common_interpolation',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: 'the nearest shared tokens, weighted',
  looksAt: 'shared',
  random: false,
  async prepare({ donor, shared, targets, options: { k, cosineSimilarity, weightScheme } }) {
    const points = await shared()
    const { width, data } = points.donor
    return async (from, to) => {
      const rows = await donor().take(targets.subarray(from, to))
      const found = await nearestPoints(rows, points.donor, k, cosineSimilarity)
      const combinations = found.map((neighbours, i) => {
        const vectors = Array.from(neighbours.points, (point) =>
          Float64Array.from(data.subarray(point * width, (point + 1) * width)),
        )
        const weights = neighbourWeights(
          rows.data.subarray(i * width, (i + 1) * width),
          vectors,
          neighbours,
          weightScheme,
          cosineSimilarity,
        )
        return { points: neighbours.points, weights }
      })
      return combined(combinations, points.model)
    }
  },
}
