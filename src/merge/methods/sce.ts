/**
 * SCE: select the elements whose changes vary most between the inputs, calculate each input's weight from its squared changes, erase minority signs. Wan et al. 2024. Differs from
 * mergekit where that falls back on equal weights for all small changes, and where nothing varies: then every element is selected instead of none.
 */
import { type Block, type Floats, type MergeMethod, numberOf, shared, sharedFlag } from '../method.ts'
import { accumulate, agreeing, differences, lane, roundAll } from './delta-loops.ts'
import { type Cut, keyScratch, ranking } from './ranking.ts'

const stretch = 2 ** 11
const smallestDivisor = 1e-6

export const sce: MergeMethod = {
  name: 'sce',
  reference: 'https://arxiv.org/abs/2408.07990',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { select_topk: shared(1), int8_mask: { ...sharedFlag(false), help: 'accepted; changes nothing' } },
  streaming: 'selection',
  tolerance: 2e-6,
  unlike: [
    'a tensor that is the same in all inputs keeps its shape; 0.1.4 stacks its copies, and stops at scalars',
    'weights are the shares of the squares however small these are; mergekit takes equal weights below a sum of mean squares of 1e-6, that is for most fine-tunes',
    'where nothing varies between the inputs every element is selected; mergekit selects none',
    'of equal variances on the border the first are selected; the selection of mergekit leaves it open',
  ],
  kernel({ inputs: models, count, shared: settings, compat, round }) {
    const topk = numberOf(settings, 'select_topk')
    const classic = compat === 'mergekit-0.1.4'
    const notes: string[] = []
    const scratch = keyScratch(Math.min(stretch, Math.max(count, 1)))
    const work = { mean: new Float64Array(scratch.values.length), mask: new Float64Array(scratch.values.length) }
    const changes = Array.from({ length: models }, () => lane(scratch.values.length))
    const rounded = changes.map(({ values }) => values)
    const [total, sum, divisor] = [lane(scratch.values.length), new Float64Array(scratch.values.length), new Float64Array(scratch.values.length)]
    const squares = new Float64Array(models)
    let varying = 0
    const order = ranking(() => [selectedOf(topk, varying, classic, notes)])
    let border: Cut | undefined
    let weights: readonly number[] | undefined
    const seen = { equals: 0 }

    const inStretches = ({ length }: Block, visit: (from: number, size: number) => void): void => {
      for (let from = 0; from < length; from += scratch.values.length) visit(from, Math.min(scratch.values.length, length - from))
    }
    const loadChanges = (inputs: Block['inputs'], base: Floats, from: number, size: number): void => {
      for (let k = 0; k < models; k++) {
        const { values } = changes[k]!
        differences(inputs[k]!, base, from, size, values)
        if (classic) roundAll(values, size, round)
      }
    }
    /** Variances between the inputs into the scratch: of rounded changes there, rounded. */
    const spread = (inputs: Block['inputs'], base: Floats, from: number, size: number): void => {
      if (!classic) return variances(inputs, from, size, work.mean, scratch.values)
      loadChanges(inputs, base, from, size)
      variances(rounded, 0, size, work.mean, scratch.values)
      roundAll(scratch.values, size, round)
    }
    /** Changes of all inputs in a stretch; what is not selected is multiplied by 0. */
    const load = ({ offset, inputs, base }: Block, from: number, size: number): void => {
      if (topk < 1) {
        border ??= order.cuts()[0]!
        if (offset + from === 0) seen.equals = 0
        spread(inputs, base!, from, size)
        select(scratch.bits, size, border, seen, work.mask)
      }
      loadChanges(inputs, base!, from, size)
      if (topk < 1) for (const { values } of changes) for (let i = 0; i < size; i++) values[i]! *= work.mask[i]!
    }
    const looks = [order.high, order.low].map((look, stage) => (block: Block) => {
      inStretches(block, (from, size) => {
        spread(block.inputs, block.base!, from, size)
        if (stage === 0) varying += nonZeros(scratch.bits, size)
        look(scratch.bits, size)
      })
    })
    return {
      grain: 1,
      notes,
      surveys: [
        ...(topk < 1 ? looks : []),
        (block) => {
          inStretches(block, (from, size) => {
            load(block, from, size)
            for (let k = 0; k < models; k++) squares[k] = addSquares(changes[k]!.values, size, squares[k]!, classic ? round : undefined)
          })
        },
      ],
      output(block, out) {
        weights ??= classic ? roundedWeights(squares, count, round) : weightsOf(squares)
        const shares = weights
        inStretches(block, (from, size) => {
          load(block, from, size)
          changes.forEach(({ values }, k) => accumulate(values, 1, total.values, size, k === 0))
          if (classic) return addRoundedMeans(block.base!, rounded, total.values, shares, round, out, from, size)
          changes.forEach((change, k) => agreeing(change, total.halves, shares[k]!, shares[k]!, sum, divisor, size, k === 0))
          addMeans(block.base!, sum, divisor, out, from, size)
        })
      },
    }
  },
}

/** ⌊topk · n⌋ of the n elements that vary; at least one, and all where none varies. */
function selectedOf(topk: number, varying: number, classic: boolean, notes: string[]): number {
  // the count is a tensor there: its product with the share is one of float32
  const selected = Math.floor(Math.fround(Math.fround(varying) * Math.fround(topk)))
  if (classic || selected > 0) return selected
  notes.push(
    varying === 0
      ? 'no element varies between the inputs: all were selected'
      : `select_topk ${topk} of ${varying} varying elements selects none: the one that varies most was taken`,
  )
  return varying === 0 ? Infinity : 1
}

function nonZeros(bits: Uint32Array, size: number): number {
  let count = 0
  for (let i = 0; i < size; i++) count += bits[i] === 0 ? 0 : 1
  return count
}

/** Population variance over the inputs, from differences to the first one: exactly 0 where all are equal. */
function variances(inputs: Block['inputs'], from: number, size: number, mean: Float64Array, out: Float32Array): void {
  const [first, models] = [inputs[0]!, inputs.length]
  if (models === 2) {
    const second = inputs[1]!
    for (let i = 0; i < size; i++) {
      const half = (second[from + i]! - first[from + i]!) / 2
      out[i] = half * half
    }
    return
  }
  mean.fill(0, 0, size)
  for (let k = 1; k < models; k++) {
    const input = inputs[k]!
    for (let i = 0; i < size; i++) mean[i]! += (input[from + i]! - first[from + i]!) / models
  }
  for (let i = 0; i < size; i++) {
    let sum = mean[i]! * mean[i]!
    for (let k = 1; k < models; k++) sum += (inputs[k]![from + i]! - first[from + i]! - mean[i]!) ** 2
    out[i] = sum / models
  }
}

function select(bits: Uint32Array, size: number, { key, equals }: Cut, seen: { equals: number }, mask: Float64Array): void {
  const border = Math.min(key, 0x7fffffff)
  for (let i = 0; i < size; i++) {
    const own = bits[i]! & 0x7fffffff
    let keep = (border - own) >>> 31
    if (own === border && seen.equals < equals) {
      seen.equals++
      keep = 1
    }
    mask[i] = keep
  }
}

function addSquares(values: Float64Array, size: number, sum: number, round?: (value: number) => number): number {
  if (round === undefined) for (let i = 0; i < size; i++) sum += values[i]! * values[i]!
  else for (let i = 0; i < size; i++) sum += round(values[i]! * values[i]!)
  return sum
}

/** Shares of the squares; equal ones where there are none. */
function weightsOf(squares: Float64Array): readonly number[] {
  const sum = squares.reduce((all, square) => all + square, 0)
  return Array.from(squares, (square) => (sum === 0 ? 1 / squares.length : square / sum))
}

/** Shares of the mean squares as mergekit takes them; equal ones where their sum is next to nothing. */
function roundedWeights(squares: Float64Array, count: number, round: (value: number) => number): readonly number[] {
  const means = Array.from(squares, (square) => round(square / count))
  const sum = round(means.reduce((all, mean) => all + mean, 0))
  return means.map((mean) => (Math.abs(sum) < 1e-6 ? round(1 / means.length) : round(mean / sum)))
}

function addMeans(base: Floats, sum: Float64Array, divisor: Float64Array, out: Floats, from: number, size: number): void {
  for (let i = 0; i < size; i++) out[from + i] = base[from + i]! + sum[i]! / Math.max(divisor[i]!, smallestDivisor)
}

/** The same with every product, sum and quotient rounded to the type of the tensors; a total of 0 is positive. */
function addRoundedMeans(
  base: Floats,
  changes: readonly Float64Array[],
  total: Float64Array,
  shares: readonly number[],
  round: (value: number) => number,
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
