/** The best weighted sum: quality against redundancy, a quadratic programme on the simplex. */
import { type AggregationMethod, normalised } from './method.ts'
import { mended } from './mended.ts'
import { maximiseOnSimplex } from './simplex-qp.ts'

/** Weights up to this are rounding of an optimum at 0. */
export const threshold = 0.001

/** max qᵀw − λ wᵀSw, w ≥ 0, Σw = 1; weights of at most 0.001 are dropped. */
export const weighted: AggregationMethod = {
  name: 'weighted',
  reference: 'quadratic programme of quality against similarity on the simplex',
  uses: ['lambda', 'similarity', 'quality'],
  async combine({ similarity, quality }, { lambda }) {
    const { matrix, warning } = await mended(similarity, quality.length)
    const { weights, objective, residual } = maximiseOnSimplex(quality, matrix, lambda)
    return {
      kind: 'sum',
      weights: normalised(weights.map((weight) => (weight <= threshold ? 0 : weight))),
      notes: { objective, residual, ...(warning === undefined ? {} : { warning }) },
    }
  },
}
