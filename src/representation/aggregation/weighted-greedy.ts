/** The weighted sum in which a layer is redundant only to better ones. */
import type { AggregationMethod } from './method.ts'
import { mended } from './mended.ts'
import { maximiseOnSimplex } from './simplex-qp.ts'

/**
 * max qᵀw − λ wᵀAw with A_ij = S_ij where q_j > q_i, 1 on the diagonal, and 0 elsewhere; only the symmetric part of A
 * counts.
 */
export const weighted_greedy: AggregationMethod = {
  name: 'weighted_greedy',
  reference: 'the quadratic programme against better layers only',
  uses: ['lambda', 'similarity', 'quality'],
  async combine({ similarity, quality }, { lambda }) {
    const n = quality.length
    const against = Float64Array.from({ length: n * n }, (_, at) => {
      const [i, j] = [Math.floor(at / n), at % n]
      if (i === j) return 1
      // one of the two halves of the symmetric part is there, unless the layers are equally good
      return quality[i] === quality[j] ? 0 : similarity[at]! / 2
    })
    const { matrix, warning } = await mended(against, n)
    const { weights, objective, residual } = maximiseOnSimplex(quality, matrix, lambda)
    return { kind: 'sum', weights, notes: { objective, residual, ...(warning === undefined ? {} : { warning }) } }
  },
}
