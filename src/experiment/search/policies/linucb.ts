/**
 * LinUCB with one model for all arms (Li, Chu, Langford & Schapire 2010, "A contextual-bandit approach to personalized
 * news article recommendation", algorithm 1 with shared parameters): the expected reward for an arm's features, plus α
 * times its uncertainty. Features are standardised over the arms, with an intercept first and ridge 1.
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
