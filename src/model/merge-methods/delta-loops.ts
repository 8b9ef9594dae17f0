/**
 * The inner loops of the δ methods, one plain pass each over a chunk that stays in the cache. Decisions on signs are
 * made with the bits of the float64 values (upper halves, as all of Node's platforms are little-endian): on real task
 * vectors they are coin tosses, and a mispredicted branch costs more than ten such steps. Everything dropped is
 * multiplied by 0, so that NaN stays NaN.
 */
import type { Floats } from '#core'
import type { Block } from './method.ts'
import type { DeltaChunk } from './delta-chunk.ts'
import { keyScratch } from './ranking.ts'

/** Float64 values and the 32-bit halves of their bits. */
export interface Lane {
  readonly values: Float64Array
  readonly halves: Int32Array
}

export function lane(length: number): Lane {
  const values = new Float64Array(length)
  return { values, halves: new Int32Array(values.buffer) }
}

export function plainDelta(inputs: number, length: number): DeltaChunk {
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

/** out[i] = x[from + i] − b[from + i] */
export function differences(x: Floats, b: Floats, from: number, length: number, out: Float64Array): void {
  for (let i = 0; i < length; i++) out[i] = x[from + i]! - b[from + i]!
}

/** The same in float32, as its bits without the sign; `values` and `keys` share their memory. */
export function differenceKeys(
  x: Floats,
  b: Floats,
  from: number,
  length: number,
  values: Float32Array,
  keys: Uint32Array,
): void {
  for (let i = 0; i < length; i++) values[i] = x[from + i]! - b[from + i]!
  for (let i = 0; i < length; i++) keys[i]! &= 0x7fffffff
}

export function roundAll(values: Floats, length: number, round: (value: number) => number): void {
  for (let i = 0; i < length; i++) values[i] = round(values[i]!)
}

/** `sum` + |v_0| + |v_1| + … */
export function addMagnitudes(sum: number, values: Float64Array, length: number): number {
  for (let i = 0; i < length; i++) sum += Math.abs(values[i]!)
  return sum
}

/** δ ← w · s · δ and total += δ, for float64 tensors; the first input overwrites the total. */
export function weigh(
  delta: Float64Array,
  weight: number,
  scale: number,
  total: Float64Array,
  length: number,
  first: boolean,
): void {
  const factor = weight * scale
  if (first) total.fill(-0, 0, length)
  for (let i = 0; i < length; i++) {
    const value = delta[i]! * factor
    delta[i] = value
    total[i]! += value
  }
}

/**
 * The same for the vote over narrower tensors: its total is taken in float32, step by step as torch takes it. Weights
 * like 0.6 and 0.4 let changes of opposite signs all but cancel out, and only the same roundings decide such an
 * election in the same way.
 */
export function weighVotes(
  delta: Float64Array,
  weight: number,
  scale: number,
  total: Float64Array,
  length: number,
  first: boolean,
): void {
  const [factor, narrowWeight, narrowScale] = [weight * scale, Math.fround(weight), Math.fround(scale)]
  if (first) total.fill(-0, 0, length)
  for (let i = 0; i < length; i++) {
    const value = delta[i]!
    const vote = Math.fround(Math.fround(Math.fround(value) * narrowScale) * narrowWeight)
    total[i] = Math.fround(total[i]! + vote)
    delta[i] = value * factor
  }
}

/** total += f · δ; the first input overwrites the total. */
export function accumulate(
  delta: Float64Array,
  factor: number,
  total: Float64Array,
  length: number,
  first: boolean,
): void {
  if (first) for (let i = 0; i < length; i++) total[i] = delta[i]! * factor
  else for (let i = 0; i < length; i++) total[i]! += delta[i]! * factor
}

/**
 * Adds the values whose sign is the total's, times `factor`, and their weight to the divisor. A total of 0 is positive;
 * a value of 0 has no sign. The first input overwrites.
 */
export function agreeing(
  { values, halves }: Lane,
  signs: Int32Array,
  factor: number,
  weight: number,
  sum: Float64Array,
  divisor: Float64Array,
  length: number,
  first: boolean,
): void {
  if (first) {
    sum.fill(0, 0, length)
    divisor.fill(0, 0, length)
  }
  for (let i = 0; i < length; i++) {
    const own = halves[2 * i + 1]!
    const differs = (own ^ signs[2 * i + 1]!) >>> 31
    const nonZero = -(own & 0x7fffffff) >>> 31
    const agrees = nonZero & (differs ^ 1)
    sum[i]! += values[i]! * (factor * agrees)
    divisor[i]! += weight * agrees
  }
}

/** out[at + i] = b[at + i] + λ · sum[i] */
export function addToBase(
  base: Floats,
  sum: Float64Array,
  lambda: number,
  out: Floats,
  at: number,
  length: number,
): void {
  for (let i = 0; i < length; i++) out[at + i] = base[at + i]! + lambda * sum[i]!
}

/** out[at + i] = b[at + i] + λ · sum[i] / divisor[i], where a divisor of 0 counts as 1 */
export function addToBaseDivided(
  base: Floats,
  sum: Float64Array,
  divisor: Lane,
  lambda: number,
  out: Floats,
  at: number,
  length: number,
): void {
  const { values, halves } = divisor
  for (let i = 0; i < length; i++) {
    const isZero = (-(halves[2 * i + 1]! & 0x7fffffff) >>> 31) ^ 1
    out[at + i] = base[at + i]! + (lambda * sum[i]!) / (values[i]! + isZero)
  }
}
