/** Layers picked one by one, weighted by the order of the picks. */
import { type AggregationMethod, normalised } from './method.ts'
import { byRank, pickLayers } from './picked.ts'

/** Weights ∝ 1/k of the k-th pick. Where nothing has a gain, all layers alike. */
export const greedy: AggregationMethod = {
  name: 'greedy',
  reference: 'greedy selection by quality less λ × mean similarity to the layers picked so far; weights by rank',
  uses: ['lambda', 'similarity', 'quality'],
  combine(known, { lambda, maxLayers }) {
    const { picks, gains } = pickLayers(known, { lambda, maxLayers })
    return { kind: 'sum', weights: normalised(byRank(known.quality.length, picks)), notes: { picks, gains } }
  },
}
