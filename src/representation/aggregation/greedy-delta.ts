/** The greedy choice among layers that are nearly as good as the best one. */
import { type AggregationMethod, normalised } from './method.ts'
import { byRank, pickLayers } from './picked.ts'

/** Layers with less than (1 − drop_delta) of the best quality never enter. */
export const greedy_delta: AggregationMethod = {
  name: 'greedy_delta',
  reference: 'greedy selection among layers within drop_delta of the best quality; weights by rank',
  uses: ['lambda', 'similarity', 'quality'],
  combine(known, { lambda, dropDelta }) {
    const { quality } = known
    const floor = (1 - dropDelta) * Math.max(...quality)
    const among = Array.from(quality.keys()).filter((i) => quality[i]! >= floor)
    const { picks, gains } = pickLayers(known, { lambda, maxLayers: Infinity }, among)
    return { kind: 'sum', weights: normalised(byRank(quality.length, picks)), notes: { picks, gains, kept: among } }
  },
}
