/**
 * Sums of products of all pairs of inputs, or of their differences from the base: what the geometric methods need to
 * know of a tensor.
 */
import type { Floats } from '#core'
import type { Block } from './method.ts'
import { fitsVectors } from './fits-vectors.ts'
import { addProducts, ways } from './gram-simd.ts'

export interface Gram {
  readonly pass: (block: Block) => void
  /** Σ d_i d_j in float64. */
  readonly dot: (i: number, j: number) => number
  readonly norm: (i: number) => number
}

/** Blocks of any size give the same sums. The base, if there is one, is subtracted. */
export function gram(inputs: number): Gram {
  const totals = new Float64Array((ways * inputs * (inputs + 1)) / 2)
  /** Where the sums of a pair begin. */
  const at = (i: number, j: number): number => ways * (i * inputs - (i * (i - 1)) / 2 + j - i)
  const addOne = ({ offset, base, inputs: all }: Block, e: number): void => {
    const own = base?.[e] ?? 0
    for (let i = 0; i < inputs; i++)
      for (let j = i; j < inputs; j++)
        totals[at(i, j) + ((offset + e) % ways)]! += (all[i]![e]! - own) * (all[j]![e]! - own)
  }
  const dot = (i: number, j: number): number => {
    const from = at(Math.min(i, j), Math.max(i, j))
    return totals.subarray(from, from + ways).reduce((sum, value) => sum + value, 0)
  }
  return {
    pass(block) {
      const vectors = fitsVectors(block)
      const first = vectors ? Math.min(block.length, (ways - (block.offset % ways)) % ways) : block.length
      for (let e = 0; e < first; e++) addOne(block, e)
      if (vectors && first < block.length) addProducts(block, first, totals)
    },
    dot,
    norm: (i) => Math.sqrt(dot(i, i)),
  }
}

/** The same with changes and their products rounded as a tensor would hold them; squares are summed as they are. */
export function roundedGram(inputs: number, round: (value: number) => number): Gram {
  const sums = new Float64Array(inputs * inputs)
  return {
    pass({ length, base, inputs: all }) {
      for (let i = 0; i < inputs; i++) {
        for (let j = i; j < inputs; j++) {
          let sum = sums[i * inputs + j]!
          for (let e = 0; e < length; e++) {
            const own = base?.[e] ?? 0
            const product = round(all[i]![e]! - own) * round(all[j]![e]! - own)
            sum += i === j ? product : round(product)
          }
          sums[i * inputs + j] = sum
        }
      }
    },
    dot: (i, j) => round(sums[Math.min(i, j) * inputs + Math.max(i, j)]!),
    norm: (i) => round(Math.sqrt(sums[i * inputs + i]!)),
  }
}

export function products(a: Floats, b: Floats, from: number, length: number, sum: number): number {
  for (let i = from; i < from + length; i++) sum += a[i]! * b[i]!
  return sum
}

export function changeProducts(a: Floats, b: Floats, base: Floats, from: number, length: number, sum: number): number {
  for (let i = from; i < from + length; i++) sum += (a[i]! - base[i]!) * (b[i]! - base[i]!)
  return sum
}
