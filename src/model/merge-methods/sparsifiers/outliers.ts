/**
 * Drops the ⌊γn⌋ largest |δ| and then the smallest until ⌊density · n⌋ are left. Davari & Belilovsky 2023 (Model Breadcrumbs). Magnitudes are compared as float32; equal ones
 * count as falling in order of their position. Where nothing is to be dropped from the top mergekit 0.1.4 keeps nothing
 * at all.
 */
import { numberOf } from '../method.ts'
import type { Cut } from '../ranking.ts'
import { sampledRanking } from '../sampled-ranking.ts'
import { type Keeper, keeper } from './keep.ts'
import { kept, type SparsificationMethod } from './sparsifier.ts'

export const outliers: SparsificationMethod = (options) => {
  const { task, values, inverse } = options
  const density = numberOf(values, 'density')
  if (density >= 1) return undefined
  const wanted = kept(options)
  // as many from the top as leave enough to keep
  const top = Math.min(Math.floor(numberOf(values, 'gamma') * task.count), task.count - wanted)
  if (task.compat === 'mergekit-0.1.4' && top === 0)
    return { passes: [], sparsify: (delta, _, length) => dropAll(delta, length) }
  const order = sampledRanking([top, top + wanted], task.count)
  const factor = inverse ? 1 / density : 1
  let borders: Keeper | undefined
  return {
    ...order,
    sparsify(delta, offset, length) {
      borders ??= keeperOf(order.cuts())
      if (offset === 0) borders.restart()
      borders.keep(delta, 0, length, factor)
    },
  }
}

function keeperOf([top, bottom]: readonly Cut[]): Keeper {
  return keeper(top, bottom!)
}

function dropAll(delta: Float64Array, length: number): void {
  for (let i = 0; i < length; i++) delta[i]! *= 0
}
