/** Sums of products of all pairs of inputs, or of their differences from the base: what the geometric methods need to know of a tensor. */
import type { Block, Floats } from '../method.ts'

export interface Gram {
  readonly survey: (block: Block) => void
  /** Σ d_i d_j in float64. */
  readonly dot: (i: number, j: number) => number
  readonly norm: (i: number) => number
}

/** Element by element in order, so that blocks of any size give the same sums. The base, if there is one, is subtracted. */
export function gram(inputs: number): Gram {
  const sums = new Float64Array(inputs * inputs)
  return {
    survey({ length, base, inputs: all }) {
      for (let i = 0; i < inputs; i++) {
        for (let j = i; j < inputs; j++) {
          const sum = sums[i * inputs + j]!
          sums[i * inputs + j] = base === undefined ? products(all[i]!, all[j]!, 0, length, sum) : changeProducts(all[i]!, all[j]!, base, 0, length, sum)
        }
      }
    },
    dot: (i, j) => sums[Math.min(i, j) * inputs + Math.max(i, j)]!,
    norm: (i) => Math.sqrt(sums[i * inputs + i]!),
  }
}

/** The same with changes and their products rounded as a tensor would hold them; squares are summed as they are. */
export function roundedGram(inputs: number, round: (value: number) => number): Gram {
  const sums = new Float64Array(inputs * inputs)
  return {
    survey({ length, base, inputs: all }) {
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
