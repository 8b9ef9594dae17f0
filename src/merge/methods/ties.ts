/** TIES: trim each task vector, elect a sign for each element, average those that agree. Yadav et al. 2023. */
import { deltaMethod } from './delta-machine.ts'
import { magnitude } from './sparsifiers/magnitude.ts'

export const ties = deltaMethod({
  name: 'ties',
  reference: 'https://arxiv.org/abs/2306.01708',
  sparsifier: magnitude,
  election: true,
  normalize: true,
  rescale: false,
  streaming: 'selection',
  tolerance: 2e-6,
})
