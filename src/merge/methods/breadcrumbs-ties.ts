/** Model breadcrumbs followed by the election of signs of TIES. Davari & Belilovsky 2023. */
import { perModel } from '../method.ts'
import { deltaMethod } from './delta-machine.ts'
import { outliers } from './sparsifiers/outliers.ts'

export const breadcrumbsTies = deltaMethod({
  name: 'breadcrumbs_ties',
  reference: 'https://arxiv.org/abs/2312.06795',
  sparsifier: outliers,
  election: true,
  normalize: false,
  rescale: false,
  parameters: { gamma: perModel(0.01) },
  streaming: 'selection',
  tolerance: 2e-6,
})
