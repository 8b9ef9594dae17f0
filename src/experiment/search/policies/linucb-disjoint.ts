/**
 * LinUCB with a model of its own for every arm, of features as they are: what "Layer by Layer"'s search runs. As no arm
 * is pulled twice, no pull teaches anything about another arm, and the order is that of the features' length. Kept to
 * compare with; an arm without features comes first, as it does there.
 */
import { highest, type Policy } from '../policy.ts'

/** Of an arm without features. */
const unknown = 1e6

export const linucbDisjoint: Policy = {
  contextual: true,
  draws: false,
  start(arms, { alpha }) {
    // A = I and b = 0 of every arm that is still to be pulled: xᵀA⁻¹b is 0, and √(xᵀA⁻¹x) is the length of x
    const values = arms.map(({ features }) =>
      features === undefined ? unknown : alpha * Math.sqrt(features.reduce((sum, value) => sum + value ** 2, 0)),
    )
    return async (pulls) => highest(values, pulls)
  },
}
