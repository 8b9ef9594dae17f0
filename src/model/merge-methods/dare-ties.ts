/** DARE followed by the election of signs of TIES. Yu et al. 2024. */
import { deltaMethod } from './delta-method.ts'
import { bernoulli } from './sparsifiers/bernoulli.ts'

export const dareTies = deltaMethod({
  name: 'dare_ties',
  reference: 'https://arxiv.org/abs/2311.03099',
  sparsification: bernoulli,
  election: true,
  normalize: false,
  rescale: true,
  streaming: 'reduction',
  tolerance: 'random masks: 2e-6 given the same masks',
  deviations: [
    'masks come from a counter-based generator and are the same whatever the order of tensors; those of mergekit follow the state of one generator of torch',
  ],
})
