/** Keeps each element with probability `density`, by the words of the task's generator. Yu et al. 2024 (DARE). */
import { numberOf } from '../../method.ts'
import type { Sparsifier } from './sparsifier.ts'

export const bernoulli: Sparsifier = ({ task, values, input, inverse }) => {
  const density = task.round(numberOf(values, 'density'))
  if (density >= 1) return undefined
  const [limit, factor] = [Math.floor(density * 2 ** 32), inverse ? 1 / density : 1]
  const words = task.random(input)
  const drawn = new Uint32Array(Math.min(task.count, 2 ** 13))
  return {
    looks: [],
    thin(delta, offset, length) {
      for (let from = 0; from < length; from += drawn.length) {
        const size = Math.min(drawn.length, length - from)
        words(offset + from, drawn.subarray(0, size))
        keepBelow(delta, from, size, drawn, limit, factor)
      }
    },
  }
}

function keepBelow(delta: Float64Array, from: number, size: number, words: Uint32Array, limit: number, factor: number): void {
  // The sign bit of word − limit in 33 bits: both halved lose only the lowest bit, which decides where the halves are equal.
  const [half, odd] = [limit >>> 1, limit & 1]
  for (let i = 0; i < size; i++) {
    const word = words[i]!
    const keep = (((word >>> 1) - half - (odd & ~word & 1)) >>> 31) & 1
    delta[from + i]! *= keep * factor
  }
}
