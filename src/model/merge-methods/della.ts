/**
 * DELLA: random parts of the task vectors, large magnitudes more likely kept, then the election of signs. Deep,
 * Bhardwaj & Poria 2024.
 */
import { perModel } from './method.ts'
import { deltaMethod } from './delta-method.ts'
import { magprune } from './sparsifiers/magprune.ts'

export const della = deltaMethod({
  name: 'della',
  reference: 'https://arxiv.org/abs/2406.11617',
  sparsification: magprune,
  rows: true,
  election: true,
  normalize: true,
  rescale: true,
  parameters: { epsilon: perModel(0.15) },
  streaming: 'reduction',
  tolerance: 'random masks: 2e-6 given the same masks',
  deviations: [
    'masks come from a counter-based generator and are the same whatever the order of tensors; those of mergekit follow the state of one generator of torch',
  ],
})
