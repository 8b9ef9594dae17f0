/** The layers that the weighted sum keeps, side by side, projected. */
import type { AggregationMethod } from './method.ts'
import { weighted } from './weighted.ts'

/** Blocks √w_h · h: inner products then add up with the weights. */
export const selected_pca: AggregationMethod = {
  name: 'selected_pca',
  reference: 'principal components of the states of `weighted`, each times √w',
  uses: ['lambda', 'similarity', 'quality', 'corpus'],
  async combine(known, options) {
    const { notes, ...chosen } = await weighted.combine(known, options)
    const weights = chosen.kind === 'sum' ? chosen.weights : new Float64Array()
    const blocks = Array.from(weights, (weight, h) => ({ layers: [h], factor: Math.sqrt(weight) })).filter(
      ({ factor }) => factor > 0,
    )
    return {
      kind: 'projection',
      blocks,
      notes: { ...notes, weights: Object.fromEntries(Array.from(weights, (weight, h) => [h, weight])) },
    }
  },
}
