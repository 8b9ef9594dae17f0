/** Σ c_k x_k, or b + Σ c_k (x_k − b) where there is a base. */
import type { Floats } from '#core'
import type { Gram } from './gram.ts'
import type { Block, Kernel } from './method.ts'

const chunkLength = 2 ** 11
const sums = new Float64Array(chunkLength)

export function combination(
  { inputs, base, length }: Block,
  coefficients: readonly number[],
  round: (value: number) => number,
  out: Floats,
): void {
  for (let from = 0; from < length; from += chunkLength) {
    const size = Math.min(chunkLength, length - from)
    sums.fill(0)
    for (let k = 0; k < inputs.length; k++) add(inputs[k]!, base, coefficients[k]!, from, size)
    if (base === undefined) for (let i = 0; i < size; i++) out[from + i] = round(sums[i]!)
    else for (let i = 0; i < size; i++) out[from + i] = round(base[from + i]! + round(sums[i]!))
  }
}

function add(input: Floats, base: Floats | undefined, coefficient: number, from: number, size: number): void {
  if (base === undefined) for (let i = 0; i < size; i++) sums[i]! += coefficient * input[from + i]!
  else for (let i = 0; i < size; i++) sums[i]! += coefficient * (input[from + i]! - base[from + i]!)
}

/**
 * A kernel that goes through the tensor once for the products of all inputs, and then combines them with what follows
 * from those.
 */
export function combinedAfter(
  products: Gram,
  coefficientsOf: (products: Gram) => readonly number[],
  round: (value: number) => number,
): Kernel {
  let coefficients: readonly number[] | undefined
  return {
    grain: 1,
    passes: [products.pass],
    output(block, out) {
      coefficients ??= coefficientsOf(products)
      combination(block, coefficients, round, out)
    },
  }
}
