/** Keeps each element with probability `density`, by the words of the task's generator. Yu et al. 2024 (DARE). */
import { numberOf } from '../method.ts'
import { maskBelow } from './mask.ts'
import { masked } from './masked.ts'
import type { SparsificationMethod } from './sparsifier.ts'

export const bernoulli: SparsificationMethod = (options) => {
  const { task, values, input, inverse } = options
  const density = task.round(numberOf(values, 'density'))
  if (density >= 1) return undefined
  const limit = Math.floor(density * 2 ** 32)
  const words = task.random(input)
  let drawn = new Uint32Array(0)
  return masked(options, inverse ? 1 / density : 1, (bits, _, offset, length) => {
    if (drawn.length < length) drawn = new Uint32Array(length)
    words(offset, drawn.subarray(0, length))
    maskBelow(drawn, length, limit, bits)
  })
}
