/** DELLA without the election. Deep, Bhardwaj & Poria 2024. */
import { perModel } from './method.ts'
import { deltaMethod } from './delta-method.ts'
import { magprune } from './sparsifiers/magprune.ts'

export const dellaLinear = deltaMethod({
  name: 'della_linear',
  reference: 'https://arxiv.org/abs/2406.11617',
  sparsification: magprune,
  rows: true,
  election: false,
  normalize: false,
  rescale: true,
  parameters: { epsilon: perModel(0.15) },
  streaming: 'reduction',
  tolerance: 'random masks: 2e-6 given the same masks',
  deviations: [
    'masks come from a counter-based generator and are the same whatever the order of tensors; those of mergekit follow the state of one generator of torch',
  ],
})
