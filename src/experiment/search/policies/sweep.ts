/** Every arm, in the order of their names in the request: the whole grid, checkpoint by checkpoint. */
import { highest, type Policy } from '../policy.ts'

export const sweep: Policy = {
  contextual: false,
  draws: false,
  start(arms) {
    const values = arms.map((_, i) => -i)
    return async (pulls) => highest(values, pulls)
  },
}
