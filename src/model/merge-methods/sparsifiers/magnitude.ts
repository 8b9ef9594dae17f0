/**
 * Keeps the ⌊density · n⌋ largest |δ| of the tensor, compared as float32; among equal ones the first. Yadav et al. 2023
 * (TIES), per tensor as in mergekit.
 */
import { numberOf } from '../method.ts'
import { sampledRanking } from '../sampled-ranking.ts'
import { type Keeper, keeper } from './keep.ts'
import { kept, type SparsificationMethod } from './sparsifier.ts'

export const magnitude: SparsificationMethod = (options) => {
  const density = numberOf(options.values, 'density')
  if (density >= 1) return undefined
  const wanted = kept(options)
  const order = sampledRanking([wanted], options.task.count)
  const factor = options.inverse ? 1 / density : 1
  let border: Keeper | undefined
  return {
    ...order,
    sparsify(delta, offset, length) {
      border ??= keeper(undefined, order.cuts()[0]!)
      if (offset === 0) border.restart()
      border.keep(delta, 0, length, factor)
    },
  }
}
