/** Σ c_k x_k, or b + Σ c_k (x_k − b) where there is a base. */
import type { Floats } from '#core'
import type { Block } from './method.ts'

const chunkLength = 2 ** 11
const sums = new Float64Array(chunkLength)

export function combination({ inputs, base, length }: Block, coefficients: readonly number[], round: (value: number) => number, out: Floats): void {
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
