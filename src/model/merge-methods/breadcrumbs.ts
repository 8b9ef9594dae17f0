/** Model breadcrumbs: task vectors without their largest and smallest entries. Davari & Belilovsky 2023. */
import { perModel } from './method.ts'
import { deltaMethod, type DeltaRecipe } from './delta-method.ts'
import { outliers } from './sparsifiers/outliers.ts'

/** The same with and without an election of signs. */
export const withoutOutliers = {
  reference: 'https://arxiv.org/abs/2312.06795',
  sparsification: outliers,
  normalize: false,
  rescale: false,
  parameters: { gamma: perModel(0.01) },
  streaming: 'selection',
  tolerance: 2e-6,
  deviations: [
    'of equal magnitudes on a border the first count as larger; the sort of mergekit leaves it open',
    'where γ drops nothing from the top 0.1.4 loses the whole task vector; `exact` keeps the rest, as 0.1.5 does',
  ],
} as const satisfies Omit<DeltaRecipe, 'name' | 'election'>

export const breadcrumbs = deltaMethod({ name: 'breadcrumbs', election: false, ...withoutOutliers })
