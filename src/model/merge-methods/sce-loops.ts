/** A chunk of a block on its way through SCE, in plain loops: for float64 tensors, and for rounded ones. */
import type { Floats } from '#core'
import type { Block } from './method.ts'
import { accumulate, agreeing, differences, lane, roundAll } from './delta-loops.ts'
import { keyScratch, magnitudes } from './ranking.ts'

/** The divisor of an element whose changes have no weight. */
export const smallestDivisor = 1e-6
/** Key of an element that is not selected, whatever the limit. */
export const unselected = 2 ** 32 - 1

/**
 * Selected are the elements whose keys are greater than a limit, or all where it is undefined; the others change by 0.
 */
export interface SceChunk {
  /** Turns to elements from … from + size − 1 of a block. */
  readonly begin: (block: Block, from: number, size: number) => void
  /** Float32 bits of the variances between the inputs, without a sign, from the last `measure`. */
  readonly keys: Uint32Array
  readonly measure: () => void
  /** How many have this key. */
  readonly count: (key: number) => number
  /** sums_k += Σ δ_k² over the selected elements, one after the other. */
  readonly addSquares: (limit: number | undefined, sums: Float64Array) => void
  /** out ← b + the mean of the changes that have the sign of their sum, by the inputs' shares. */
  readonly output: (limit: number | undefined, shares: readonly number[], out: Floats) => void
}

type Round = (value: number) => number

/** With `round`, every change, variance, product, sum and quotient is rounded to the type of the tensors. */
export function plainSce(models: number, length: number, round: Round | undefined): SceChunk {
  const { values: spread, bits: keys } = keyScratch(length)
  const changes = Array.from({ length: models }, () => lane(length))
  const rounded = changes.map(({ values }) => values)
  const mean = new Float64Array(length)
  const [total, sum, divisor] = [lane(length), new Float64Array(length), new Float64Array(length)]
  let current: { readonly block: Block; readonly from: number; readonly size: number } | undefined

  const loadChanges = (): void => {
    const { block, from, size } = current!
    rounded.forEach((values, k) => {
      differences(block.inputs[k]!, block.base!, from, size, values)
      if (round !== undefined) roundAll(values, size, round)
    })
  }
  const loadSelected = (limit: number | undefined): void => {
    loadChanges()
    if (limit !== undefined) for (const values of rounded) select(values, keys, limit, current!.size)
  }
  return {
    begin: (block, from, size) => void (current = { block, from, size }),
    keys,
    measure() {
      const { block, from, size } = current!
      if (round === undefined) variances(block.inputs, from, size, mean, spread)
      else {
        loadChanges()
        variances(rounded, 0, size, mean, spread)
        roundAll(spread, size, round)
      }
      magnitudes(keys, size)
    },
    count(key) {
      let count = 0
      for (let i = 0; i < current!.size; i++) count += keys[i] === key ? 1 : 0
      return count
    },
    addSquares(limit, sums) {
      loadSelected(limit)
      rounded.forEach((values, k) => (sums[k] = addSquares(values, current!.size, sums[k]!, round)))
    },
    output(limit, shares, out) {
      const { block, from, size } = current!
      loadSelected(limit)
      rounded.forEach((values, k) => accumulate(values, 1, total.values, size, k === 0))
      if (round !== undefined)
        return addRoundedMeans(block.base!, rounded, total.values, shares, round, out, from, size)
      changes.forEach((change, k) =>
        agreeing(change, total.halves, shares[k]!, shares[k]!, sum, divisor, size, k === 0),
      )
      addMeans(block.base!, sum, divisor, out, from, size)
    },
  }
}

/** Population variance over the inputs, from differences to the first one: exactly 0 where all are equal. */
function variances(inputs: readonly Floats[], from: number, size: number, mean: Float64Array, out: Float32Array): void {
  const [first, models] = [inputs[0]!, inputs.length]
  mean.fill(0, 0, size)
  for (let k = 1; k < models; k++) {
    const input = inputs[k]!
    for (let i = 0; i < size; i++) mean[i]! += (input[from + i]! - first[from + i]!) / models
  }
  for (let i = 0; i < size; i++) {
    let sum = mean[i]! * mean[i]!
    for (let k = 1; k < models; k++) {
      const distance = inputs[k]![from + i]! - first[from + i]! - mean[i]!
      sum += distance * distance
    }
    out[i] = sum / models
  }
}

function select(values: Float64Array, keys: Uint32Array, limit: number, size: number): void {
  for (let i = 0; i < size; i++) values[i]! *= (limit - (keys[i]! | 0)) >>> 31
}

function addSquares(values: Float64Array, size: number, sum: number, round: Round | undefined): number {
  if (round === undefined) for (let i = 0; i < size; i++) sum += values[i]! * values[i]!
  else for (let i = 0; i < size; i++) sum += round(values[i]! * values[i]!)
  return sum
}

function addMeans(
  base: Floats,
  sum: Float64Array,
  divisor: Float64Array,
  out: Floats,
  from: number,
  size: number,
): void {
  for (let i = 0; i < size; i++) out[from + i] = base[from + i]! + sum[i]! / Math.max(divisor[i]!, smallestDivisor)
}

/** The same with every product, sum and quotient rounded to the type of the tensors; a total of 0 is positive. */
function addRoundedMeans(
  base: Floats,
  changes: readonly Float64Array[],
  total: Float64Array,
  shares: readonly number[],
  round: Round,
  out: Floats,
  from: number,
  size: number,
): void {
  const least = round(smallestDivisor)
  for (let i = 0; i < size; i++) {
    const sign = total[i]! >= 0 ? 1 : -1
    let [sum, divisor] = [0, 0]
    for (let k = 0; k < changes.length; k++) {
      const value = changes[k]![i]!
      const share = Math.sign(value) === sign ? shares[k]! : 0
      sum += round(value * share)
      divisor += share
    }
    out[from + i] = round(base[from + i]! + round(round(sum) / Math.max(round(divisor), least)))
  }
}
