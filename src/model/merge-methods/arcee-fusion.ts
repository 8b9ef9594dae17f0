/**
 * Arcee fusion: takes over the elements whose change is important – its size times the divergence of the row's softmax
 * from the base's – beyond median + 1.5 interquartile ranges.
 * mergekit `arcee_fusion`. Quantiles are exact at any size; mergekit draws a sample above a million elements.
 */
import type { Floats } from '#core'
import type { Block, MergeMethod } from './method.ts'
import { keyScratch, ranking, valueOf } from './ranking.ts'

const floor = 1e-8

export const arceeFusion: MergeMethod = {
  name: 'arcee_fusion',
  reference: 'https://github.com/arcee-ai/mergekit/blob/main/docs/merge_methods.md#arcee-fusion-arcee_fusion',
  base: 'required',
  inputs: [1, 1],
  parameters: {},
  streaming: 'selection',
  tolerance: '2e-6 up to a million elements; above, mergekit samples its quantiles',
  deviations: [
    'quantiles are exact; above a million elements mergekit draws a sample',
    'outputs have the type of the inputs; mergekit writes float32 for 16-bit files unless out_dtype is given',
    'divergences are summed in float64: those of float32 cancel, and elements within their error of the threshold may fall to its other side',
  ],
  // its mask is float32 there, and so is what the mask is multiplied with
  storedAs: (compat) => (compat === 'mergekit-0.1.4' ? 'F32' : undefined),
  kernel({ shape, count, compat, round }) {
    const classic = compat === 'mergekit-0.1.4'
    const width = Math.max(shape.at(-1) ?? 1, 1)
    const divergences = new Float64Array(Math.max(1, Math.round(count / width)))
    const scratch = keyScratch(width)
    const places = [0.25, 0.5, 0.75].map((quantile) => count - Math.floor(quantile * (count - 1)))
    const order = ranking(() => places)
    let threshold: number | undefined
    const importances = ({ offset, base, inputs }: Block, from: number): void => {
      const divergence = divergences[(offset + from) / width]!
      const [x, b] = [inputs[0]!, base!]
      for (let i = 0; i < width; i++)
        scratch.values[i] = round(round(Math.abs(x[from + i]! - b[from + i]!)) * divergence)
    }
    const countKeys = (block: Block, count: (keys: Uint32Array, length: number) => void): void => {
      for (let from = 0; from < block.length; from += width) {
        importances(block, from)
        orderedBits(scratch.bits)
        count(scratch.bits, width)
      }
    }
    return {
      grain: width,
      passes: [
        (block) => {
          for (let from = 0; from < block.length; from += width)
            divergences[(block.offset + from) / width] = (classic ? roundedDivergence : divergence)(
              block.inputs[0]!,
              block.base!,
              from,
              width,
              round,
            )
          countKeys(block, order.high)
        },
        (block) => countKeys(block, order.low),
      ],
      output(block, out) {
        threshold ??= thresholdOf(
          order.cuts().map(({ key }) => valueOf(fromOrdered(key))),
          round,
        )
        const [x, b] = [block.inputs[0]!, block.base!]
        for (let from = 0; from < block.length; from += width) {
          importances(block, from)
          for (let i = 0; i < width; i++) {
            const [value, own] = [x[from + i]!, b[from + i]!]
            out[from + i] = own + round(value - own) * (scratch.values[i]! >= threshold ? 1 : 0)
          }
        }
      },
    }
  },
}

function thresholdOf([first = 0, median = 0, third = 0]: readonly number[], round: (value: number) => number): number {
  return round(median + round(1.5 * round(third - first)))
}

/** KL(softmax(x) ‖ softmax(b)) of one row, a little added to all probabilities. */
function divergence(x: Floats, b: Floats, from: number, width: number): number {
  const [own, base] = [normaliser(x, from, width), normaliser(b, from, width)]
  let sum = 0
  for (let i = from; i < from + width; i++) {
    const p = Math.exp(x[i]! - own.max) / own.sum + floor
    const q = Math.exp(b[i]! - base.max) / base.sum + floor
    sum += p * Math.log(p / q)
  }
  return sum
}

/** The same with probabilities, logarithms and products rounded to the type of the tensors. */
function roundedDivergence(
  x: Floats,
  b: Floats,
  from: number,
  width: number,
  round: (value: number) => number,
): number {
  const [own, base] = [normaliser(x, from, width), normaliser(b, from, width)]
  let sum = 0
  for (let i = from; i < from + width; i++) {
    const p = round(round(Math.exp(x[i]! - own.max) / own.sum) + floor)
    const q = round(round(Math.exp(b[i]! - base.max) / base.sum) + floor)
    sum += round(p * round(Math.log(round(p / q))))
  }
  return round(sum)
}

function normaliser(values: Floats, from: number, width: number): { max: number; sum: number } {
  let max = -Infinity
  for (let i = from; i < from + width; i++) max = Math.max(max, values[i]!)
  let sum = 0
  for (let i = from; i < from + width; i++) sum += Math.exp(values[i]! - max)
  return { max, sum }
}

/** Bits of float32 values to keys in the order of the values, negative ones included. */
export function orderedBits(bits: Uint32Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i]! ^ ((bits[i]! | 0) >> 31)) | (~bits[i]! & 0x80000000)
}

function fromOrdered(key: number): number {
  return key >= 2 ** 31 ? key - 2 ** 31 : ~key >>> 0
}
