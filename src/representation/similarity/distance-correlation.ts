/** Distance correlation: zero only for independent representations, whatever the relation. */
import { centredKernels } from './kernel-sums.ts'
import type { Similarity } from './similarity.ts'

/**
 * dCov(X, Y) / √(dCov(X, X) · dCov(Y, Y)) with dCov² = mean of the product of double-centred Euclidean distances (the
 * biased V-statistic).
 */
export const distance_correlation: Similarity = {
  name: 'distance_correlation',
  title: 'DistanceCorrelation',
  reference: 'Székely, Rizzo and Bakirov 2007, definition 5',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  async between(xs, ys) {
    const { cross, ownX, ownY } = await centredKernels(xs, ys, () => Math.sqrt)
    const width = ownY.length
    return cross.map((value, at) => {
      const scale = Math.sqrt(ownX[Math.floor(at / width)]! * ownY[at % width]!)
      return scale === 0 ? 0 : Math.sqrt(Math.max(0, value / scale))
    })
  },
}
