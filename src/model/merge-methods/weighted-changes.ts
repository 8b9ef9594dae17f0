/** b + scale · Σ w_k (x_k − b), for methods that treat some tensors plainly. */
import type { Floats } from '#core'
import type { Block } from './method.ts'

const chunkLength = 2 ** 11
const sums = new Float64Array(chunkLength)

export function weightedChanges(
  { inputs, base, length }: Block,
  weights: readonly number[],
  scale: number,
  out: Floats,
): void {
  const own = base!
  if (inputs.length === 2)
    return pair(inputs[0]!, inputs[1]!, own, scale * weights[0]!, scale * weights[1]!, length, out)
  for (let from = 0; from < length; from += chunkLength) {
    const size = Math.min(chunkLength, length - from)
    sums.fill(0)
    inputs.forEach((input, k) => addChange(input, own, weights[k]!, from, size))
    for (let i = 0; i < size; i++) out[from + i] = own[from + i]! + scale * sums[i]!
  }
}

function pair(a: Floats, b: Floats, base: Floats, first: number, second: number, length: number, out: Floats): void {
  for (let i = 0; i < length; i++) {
    const own = base[i]!
    out[i] = own + first * (a[i]! - own) + second * (b[i]! - own)
  }
}

function addChange(input: Floats, base: Floats, weight: number, from: number, size: number): void {
  for (let i = 0; i < size; i++) sums[i]! += weight * (input[from + i]! - base[from + i]!)
}
