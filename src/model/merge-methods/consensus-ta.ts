/**
 * Consensus task arithmetic: of the sum of all changes the elements that at least k tasks need. Wang et al. 2024, eqs.
 * 5 and 6.
 */
import { type MergeMethod, numberOf, shared } from './method.ts'

export const consensusTa: MergeMethod = {
  name: 'consensus_ta',
  reference: 'https://arxiv.org/abs/2405.07813',
  base: 'required',
  inputs: [1, Infinity],
  parameters: {
    lambda_mask: {
      ...shared(0.4),
      help: 'a task needs an element when its own change is at least this times the size of all others together',
    },
    k: { ...shared(2), help: 'number of tasks that must need an element' },
    alpha: shared(1),
  },
  streaming: 'elementwise',
  tolerance: 'not in mergekit',
  kernel({ shared: values }) {
    const [lambda, k, alpha] = [numberOf(values, 'lambda_mask'), numberOf(values, 'k'), numberOf(values, 'alpha')]
    return {
      grain: 1,
      passes: [],
      output({ length, base, inputs }, out) {
        for (let i = 0; i < length; i++) {
          const own = base![i]!
          let [sum, needed] = [0, 0]
          for (let j = 0; j < inputs.length; j++) sum += inputs[j]![i]! - own
          for (let j = 0; j < inputs.length; j++) needed += needs(inputs[j]![i]! - own, sum, lambda)
          out[i] = own + alpha * sum * (needed >= k ? 1 : 0)
        }
      },
    }
  },
}

/** Whether a task needs an element: its mask of Wang et al. 2024, eq. 4, with ≥. */
export function needs(change: number, sum: number, lambda: number): 0 | 1 {
  return Math.abs(change) >= lambda * Math.abs(sum - change) ? 1 : 0
}
