/**
 * Thompson sampling (Agrawal & Goyal 2013, "Thompson sampling for contextual bandits with linear payoffs"): the best
 * arm of one draw from N(θ, α²A⁻¹), the posterior of `linucb`.
 */
import { normalOf, philox } from '#platform/random'
import { standardised } from '../context.ts'
import { type Policy, worthwhile } from '../policy.ts'
import { dot, ridgePosterior } from '../ridge-posterior.ts'

export const thompson: Policy = {
  contextual: true,
  draws: true,
  start(arms, { alpha, seed, costOf }) {
    const context = standardised(arms)
    return async (pulls) => {
      const { theta, drawn } = await ridgePosterior(context, pulls)
      const words = new Uint32Array(2 * theta.length)
      // keyed by the number of the pull, so that a resumed search draws like an uninterrupted one
      philox(`thompson ${seed} ${pulls.length}`)(0, words)
      const draw = drawn(
        theta.map((_, i) => normalOf(words[2 * i] ?? 0, words[2 * i + 1] ?? 0)),
        alpha,
      )
      return worthwhile(
        context.map((x) => (x === undefined ? -Infinity : dot(x, draw))),
        pulls,
        costOf,
      )
    }
  },
}
