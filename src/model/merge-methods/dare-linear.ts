/**
 * DARE: random parts of the task vectors, scaled up to make up for the dropped ones. Yu et al. 2024. Shares its masks
 * with dare_ties.
 */
import { deltaMethod } from './delta-method.ts'
import { bernoulli } from './sparsifiers/bernoulli.ts'

export const dareLinear = deltaMethod({
  name: 'dare_linear',
  reference: 'https://arxiv.org/abs/2311.03099',
  sparsification: bernoulli,
  election: false,
  normalize: false,
  rescale: true,
  streaming: 'reduction',
  tolerance: 'random masks: 2e-6 given the same masks',
  deviations: [
    'masks come from a counter-based generator and are the same whatever the order of tensors; those of mergekit follow the state of one generator of torch',
  ],
})
