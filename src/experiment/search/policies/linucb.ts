/**
 * LinUCB with one model for all arms (Li, Chu, Langford & Schapire 2010, "A contextual-bandit approach to personalized
 * news article recommendation", algorithm 1 with shared parameters): the reward expected of an arm's features, and α
 * times what is not known of it. Features are standardised over the arms, an intercept stands first, ridge 1.
 */
import { standardised } from '../context.ts'
import { type Policy, worthwhile } from '../policy.ts'
import { dot, ridgePosterior } from '../ridge-posterior.ts'

export const linucb: Policy = {
  contextual: true,
  draws: false,
  start(arms, { alpha, costOf }) {
    const context = standardised(arms)
    return async (pulls) => {
      const { theta, deviationOf } = await ridgePosterior(context, pulls)
      const values = context.map((x) => (x === undefined ? -Infinity : dot(x, theta) + alpha * deviationOf(x)))
      return worthwhile(values, pulls, costOf)
    }
  },
}
