/** TIES: trim each task vector, elect a sign for each element, average those that agree. Yadav et al. 2023. */
import { deltaMethod } from './delta-method.ts'
import { magnitude } from './sparsifiers/magnitude.ts'

export const ties = deltaMethod({
  name: 'ties',
  reference: 'https://arxiv.org/abs/2306.01708',
  sparsification: magnitude,
  election: true,
  normalize: true,
  rescale: false,
  streaming: 'selection',
  tolerance: 2e-6,
  deviations: [
    'of equal magnitudes on the border the first are kept; which ones the sort of mergekit puts first is not defined',
    'a density that keeps none of a small tensor keeps its largest element, as 0.1.5 does, and says so; 0.1.4 stops',
  ],
})
