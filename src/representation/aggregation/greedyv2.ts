/** Layers picked one by one, weighted by their quality. */
import { type AggregationMethod, normalised } from './method.ts'
import { pickLayers } from './picked.ts'

/** Weights ∝ quality of the picked layers. Where no layer has a gain, all weigh the same. */
export const greedyv2: AggregationMethod = {
  name: 'greedyv2',
  reference: 'greedy selection by quality less λ × mean similarity to the layers picked so far; weights by quality',
  uses: ['lambda', 'similarity', 'quality'],
  combine(known, { lambda, maxLayers }) {
    const { picks, gains } = pickLayers(known, { lambda, maxLayers })
    return {
      kind: 'sum',
      weights: normalised(known.quality.map((value, i) => (picks.includes(i) ? value : 0))),
      notes: { picks, gains },
    }
  },
}
