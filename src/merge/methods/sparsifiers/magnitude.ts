/** Keeps the ⌊density · n⌋ largest |δ| of the tensor, compared as float32; of equal ones the first. Yadav et al. 2023 (TIES), per tensor as in mergekit. */
import { numberOf } from '../../method.ts'
import { type Cut, type KeyScratch, keyScratch, ranking } from '../ranking.ts'
import { kept, type Sparsifier } from './sparsifier.ts'

export const magnitude: Sparsifier = (options) => {
  const density = numberOf(options.values, 'density')
  if (density >= 1) return undefined
  const wanted = kept(options)
  const order = ranking(() => [wanted])
  const scratch = keyScratch(Math.min(options.task.count, 2 ** 13))
  const factor = options.inverse ? 1 / density : 1
  let border: Cut | undefined
  let seen = 0
  return {
    looks: [order.high, order.low],
    thin(delta, offset, length) {
      border ??= order.cuts()[0]!
      if (offset === 0) seen = 0
      for (let from = 0; from < length; from += scratch.values.length)
        seen = keepAbove(delta, from, Math.min(scratch.values.length, length - from), scratch, border, seen, factor)
    },
  }
}

/** Keys are below 2³¹, so the sign of a difference tells which is greater: no branch to mispredict but at the border itself. */
function keepAbove(delta: Float64Array, from: number, size: number, { values, bits }: KeyScratch, { key, equals }: Cut, seen: number, factor: number): number {
  for (let i = 0; i < size; i++) {
    const value = delta[from + i]!
    values[i] = value
    const own = bits[i]! & 0x7fffffff
    let keep = (key - own) >>> 31
    if (own === key && seen < equals) {
      seen++
      keep = 1
    }
    delta[from + i] = value * keep * factor
  }
  return seen
}
