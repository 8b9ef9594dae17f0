/**
 * LinUCB with a separate model for every arm, on raw features, as in the search of "Layer by Layer". As no arm is
 * pulled twice, no pull carries information about another arm, and the order is that of the features' norm. Included
 * for comparison; an arm without features comes first, as it does there.
 */
import { highest, type Policy } from '../policy.ts'

/** Value of an arm without features. */
const unknown = 1e6

export const linucbDisjoint: Policy = {
  contextual: true,
  draws: false,
  start(arms, { alpha }) {
    // A = I and b = 0 for every arm that is not pulled yet: xᵀA⁻¹b is 0, and √(xᵀA⁻¹x) is the length of x
    const values = arms.map(({ features }) =>
      features === undefined ? unknown : alpha * Math.sqrt(features.reduce((sum, value) => sum + value ** 2, 0)),
    )
    return async (pulls) => highest(values, pulls)
  },
}
