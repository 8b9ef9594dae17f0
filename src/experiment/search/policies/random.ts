/** Arms in a seeded order: the baseline for every other policy. */
import { defaultRng } from '#platform/random'
import { highest, type Policy } from '../policy.ts'

export const random: Policy = {
  contextual: false,
  draws: true,
  start(arms, { seed }) {
    const values = arms.map(() => 0)
    for (const [place, arm] of defaultRng(seed).permutation(arms.length).entries()) values[arm] = -place
    return async (pulls) => highest(values, pulls)
  },
}
