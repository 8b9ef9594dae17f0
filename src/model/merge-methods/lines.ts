/**
 * LiNeS: task arithmetic with changes scaled by depth, from α at the embeddings and the first layer to α + β at the
 * last layer and the head. Wang et al. 2024, eq. 3.
 */
import { type MergeMethod, numberOf, perModel, shared, type TensorTask } from './method.ts'
import { weightedChanges } from './weighted-changes.ts'

export const lines: MergeMethod = {
  name: 'lines',
  reference: 'https://arxiv.org/abs/2410.17146',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { weight: perModel(1), alpha: shared(), beta: shared() },
  streaming: 'elementwise',
  tolerance: 'not in mergekit',
  kernel(task) {
    const { perModel: models, shared: values } = task
    const weights = models.map((model) => numberOf(model, 'weight'))
    const scale = numberOf(values, 'alpha') + numberOf(values, 'beta') * depthOf(task)
    return { grain: 1, passes: [], output: (block, out) => weightedChanges(block, weights, scale, out) }
  },
}

/** 0 at the first layer and before it, 1 at the last and after it. */
function depthOf({ layer, side }: TensorTask): number {
  if (layer === undefined) return side === 'after' ? 1 : 0
  return layer.count > 1 ? layer.index / (layer.count - 1) : 1
}
