/** Task arithmetic: weighted differences from the base, added to it. Ilharco et al. 2023. */
import { deltaMethod } from './delta-method.ts'

export const taskArithmetic = deltaMethod({
  name: 'task_arithmetic',
  reference: 'https://arxiv.org/abs/2212.04089',
  election: false,
  normalize: false,
  rescale: false,
  streaming: 'elementwise',
  tolerance: 2e-6,
})
