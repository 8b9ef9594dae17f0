/** One stretch of a block in work: on plain loops, or on vectors where tensors are float32. Both give the same bits. */
import type { Floats } from '#core'
import type { Block } from './method.ts'
import { accumulate, addToBase, addToBaseDivided, agreeing, differenceKeys, differences, lane, weigh, weighVotes } from './delta-loops.ts'
import { deltaSimd, simdInputs, simdLongest } from './delta-simd.ts'
import { keyScratch } from './ranking.ts'

export interface DeltaStretch {
  /** Turns to elements from … from + size − 1 of a block. */
  readonly begin: (block: Block, from: number, size: number) => void
  /** Float32 bits of |δ| of input k. */
  readonly keys: (k: number) => Uint32Array
  /** δ of input k, to be changed in place. */
  readonly changes: (k: number) => Float64Array
  /** out ← b + λ Σ f_k δ_k */
  readonly add: (factors: readonly number[], lambda: number, out: Floats) => void
  /** δ_k ← w_k s_k δ_k; their sums, for tensors of 32 bits and less as float32 adds them up. */
  readonly weigh: (weights: readonly number[], scales: readonly number[]) => Float64Array
  /** out ← b + λ Σ δ_k over those that have the sign of the sum, divided by their weights or not. */
  readonly elect: (weights: readonly number[], divided: boolean, lambda: number, out: Floats) => void
}

/** Whether the vectors can be used: float32 throughout, and not too many inputs. */
export function fitsVectors({ base, inputs }: Block, out: Floats | undefined, chunk: number): boolean {
  return (
    chunk <= simdLongest &&
    inputs.length <= simdInputs &&
    base instanceof Float32Array &&
    (out === undefined || out instanceof Float32Array) &&
    inputs.every((input) => input instanceof Float32Array)
  )
}

export function plainStretch(inputs: number, length: number): DeltaStretch {
  const deltas = Array.from({ length: inputs }, () => lane(length))
  const [total, sum, divisor, scratch] = [lane(length), new Float64Array(length), lane(length), keyScratch(length)]
  let current: { readonly block: Block; readonly from: number; readonly size: number } | undefined
  const at = (): { base: Floats; inputs: readonly Floats[]; from: number; size: number } => ({
    ...current!,
    base: current!.block.base!,
    inputs: current!.block.inputs,
  })
  return {
    begin: (block, from, size) => void (current = { block, from, size }),
    keys(k) {
      const { base, inputs: values, from, size } = at()
      differenceKeys(values[k]!, base, from, size, scratch.values, scratch.bits)
      return scratch.bits
    },
    changes(k) {
      const { base, inputs: values, from, size } = at()
      differences(values[k]!, base, from, size, deltas[k]!.values)
      return deltas[k]!.values
    },
    add(factors, lambda, out) {
      const { base, from, size } = at()
      factors.forEach((factor, k) => accumulate(deltas[k]!.values, factor, sum, size, k === 0))
      addToBase(base, sum, lambda, out, from, size)
    },
    weigh(weights, scales) {
      const { size, base } = at()
      const add = base instanceof Float32Array ? weighVotes : weigh
      weights.forEach((weight, k) => add(deltas[k]!.values, weight, scales[k]!, total.values, size, k === 0))
      return total.values
    },
    elect(weights, divided, lambda, out) {
      const { base, from, size } = at()
      weights.forEach((weight, k) => agreeing(deltas[k]!, total.halves, 1, weight, sum, divisor.values, size, k === 0))
      if (divided) addToBaseDivided(base, sum, divisor, lambda, out, from, size)
      else addToBase(base, sum, lambda, out, from, size)
    },
  }
}

export function vectorStretch(): DeltaStretch {
  const simd = deltaSimd()
  let current: { readonly block: Block; readonly from: number; readonly size: number } | undefined
  const take = (k: number): number => {
    const { block, from, size } = current!
    simd.input.set(block.inputs[k]!.subarray(from, from + size))
    return size
  }
  const give = (out: Floats): void => out.set(simd.out.subarray(0, current!.size), current!.from)
  return {
    begin(block, from, size) {
      current = { block, from, size }
      simd.base.set(block.base!.subarray(from, from + size))
    },
    keys(k) {
      simd.differenceKeys(take(k))
      return simd.keys
    },
    changes(k) {
      simd.differences(k, take(k))
      return simd.deltas[k]!.values
    },
    add(factors, lambda, out) {
      factors.forEach((factor, k) => simd.accumulate(k, factor, current!.size))
      simd.addToBase(lambda, current!.size)
      give(out)
    },
    weigh(weights, scales) {
      weights.forEach((weight, k) => simd.weigh(k, weight, scales[k]!, current!.size))
      return simd.total.values
    },
    elect(weights, divided, lambda, out) {
      weights.forEach((weight, k) => simd.agreeing(k, 1, weight, current!.size))
      if (divided) simd.addToBaseDivided(lambda, current!.size)
      else simd.addToBase(lambda, current!.size)
      give(out)
    },
  }
}
