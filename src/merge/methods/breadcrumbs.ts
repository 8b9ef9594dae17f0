/** Model breadcrumbs: task vectors without their largest and smallest entries. Davari & Belilovsky 2023. */
import { perModel } from '../method.ts'
import { deltaMethod } from './delta-machine.ts'
import { outliers } from './sparsifiers/outliers.ts'

export const breadcrumbs = deltaMethod({
  name: 'breadcrumbs',
  reference: 'https://arxiv.org/abs/2312.06795',
  sparsifier: outliers,
  election: false,
  normalize: false,
  rescale: false,
  parameters: { gamma: perModel(0.01) },
  streaming: 'selection',
  tolerance: 2e-6,
})
