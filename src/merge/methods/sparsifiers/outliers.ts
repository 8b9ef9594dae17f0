/**
 * Drops the ⌊γn⌋ largest |δ| and then the smallest until ⌊density · n⌋ are left. Davari & Belilovsky 2023 (Model Breadcrumbs). Magnitudes are compared as float32; equal ones
 * count as falling in order of their position. Where nothing is to be dropped from the top mergekit 0.1.4 keeps nothing at all.
 */
import { numberOf } from '../../method.ts'
import { type Cut, type KeyScratch, keyScratch, ranking } from '../ranking.ts'
import { kept, type Sparsifier } from './sparsifier.ts'

export const outliers: Sparsifier = (options) => {
  const { task, values, inverse } = options
  const density = numberOf(values, 'density')
  if (density >= 1) return undefined
  const wanted = kept(options)
  // as many from the top as leave enough to keep
  const top = Math.min(Math.floor(numberOf(values, 'gamma') * task.count), task.count - wanted)
  if (task.compat === 'mergekit-0.1.4' && top === 0) return { looks: [], thin: (delta, _, length) => dropAll(delta, length) }
  const order = ranking(() => [top, top + wanted])
  const scratch = keyScratch(Math.min(task.count, 2 ** 13))
  const factor = inverse ? 1 / density : 1
  let cuts: readonly Cut[] | undefined
  const seen: [number, number] = [0, 0]
  return {
    looks: [order.high, order.low],
    thin(delta, offset, length) {
      cuts ??= order.cuts()
      if (offset === 0) seen.fill(0)
      for (let from = 0; from < length; from += scratch.values.length)
        keepBetween(delta, from, Math.min(scratch.values.length, length - from), scratch, cuts[0]!, cuts[1]!, seen, factor)
    },
  }
}

function dropAll(delta: Float64Array, length: number): void {
  for (let i = 0; i < length; i++) delta[i]! *= 0
}

/** Signs of differences instead of comparisons, as keys are below 2³¹ and the borders' at most 2³². */
function keepBetween(
  delta: Float64Array,
  from: number,
  size: number,
  { values, bits }: KeyScratch,
  above: Cut,
  below: Cut,
  seen: [number, number],
  factor: number,
): void {
  const [upper, lower] = [Math.min(above.key, 0x7fffffff), below.key]
  for (let i = 0; i < size; i++) {
    const value = delta[from + i]!
    values[i] = value
    const own = bits[i]! & 0x7fffffff
    let cutOff = (upper - own) >>> 31
    let inside = (lower - own) >>> 31
    if (own === upper && seen[0] < above.equals) {
      seen[0]++
      cutOff = 1
    }
    if (own === lower && seen[1] < below.equals) {
      seen[1]++
      inside = 1
    }
    delta[from + i] = value * (inside & (cutOff ^ 1)) * factor
  }
}
