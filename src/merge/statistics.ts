/** What a merge did to a tensor: norms, cosine of the output to each input, agreement of signs with it, share of its changes that was kept. */
import type { Block, Floats } from './method.ts'

export interface InputStatistics {
  readonly norm: number
  /** Between output and input. */
  readonly cosine: number
  /** Share of elements whose change from the base (without a base: whose value) has the output's sign. */
  readonly signAgreement: number
  /** Share of the elements that the input changed and the output changed too; null without a base. */
  readonly kept: number | null
  /** ‖input − base‖; null without a base. */
  readonly distance: number | null
}

export interface TensorStatistics {
  /** Elements looked at: all, or an even sample of a large tensor. */
  readonly elements: number
  readonly norm: number
  /** ‖output − base‖; null without a base. */
  readonly distance: number | null
  readonly inputs: readonly InputStatistics[]
}

/** Elements come in runs of this many, so that blocks of any size choose the same ones. */
const run = 4096
/** Larger tensors are sampled. */
export const mostElements = 2 ** 19

export interface StatisticsSum {
  /** Runs of a block that are looked at: its elements from … to. */
  chosen(offset: number, length: number): readonly (readonly [from: number, to: number])[]
  add(block: Block, out: Floats): void
  result(): TensorStatistics
}

export function tensorStatistics(count: number, inputs: number, hasBase: boolean): StatisticsSum {
  const every = Math.max(1, Math.ceil(count / mostElements))
  const nothing: Sums = { square: 0, product: 0, agree: 0, changed: 0, kept: 0, far: 0 }
  const sums = Array.from({ length: inputs }, () => nothing)
  let [elements, own] = [0, nothing]
  const chosen = (offset: number, length: number): [number, number][] => {
    const runs: [number, number][] = []
    for (let start = 0; start < length;) {
      const place = offset + start
      const end = Math.min(length, start + run - (place % run))
      if (Math.floor(place / run) % every === 0) runs.push([start, end])
      start = end
    }
    return runs
  }
  return {
    chosen,
    add(block, out) {
      for (const [start, end] of chosen(block.offset, block.length)) addRun(block, out, start, end)
    },
    result: () => ({
      elements,
      norm: Math.sqrt(own.square),
      distance: hasBase ? Math.sqrt(own.far) : null,
      inputs: sums.map((one) => ({
        norm: Math.sqrt(one.square),
        cosine: one.square === 0 || own.square === 0 ? 0 : one.product / Math.sqrt(one.square * own.square),
        signAgreement: elements === 0 ? 1 : one.agree / elements,
        kept: hasBase ? (one.changed === 0 ? 1 : one.kept / one.changed) : null,
        distance: hasBase ? Math.sqrt(one.far) : null,
      })),
    }),
  }

  function addRun({ base, inputs: values }: Block, out: Floats, start: number, end: number): void {
    elements += end - start
    own = summed(own, out, out, base, start, end)
    values.forEach((input, k) => (sums[k] = summed(sums[k]!, input, out, base, start, end)))
  }
}

/** `sums` and those of a run of one input against the output: element by element, so that blocks of any size give the same, and in locals, as numbers of objects are boxed at every write. */
function summed(sums: Sums, input: Floats, out: Floats, base: Floats | undefined, start: number, end: number): Sums {
  let { square, product, far, agree, changed, kept } = sums
  for (let i = start; i < end; i++) {
    const from = base === undefined ? 0 : base[i]!
    const [value, result] = [input[i]!, out[i]!]
    const [change, step] = [value - from, result - from]
    square += value * value
    product += value * result
    far += change * change
    const [moved, stepped] = [change === 0 ? 0 : 1, step === 0 ? 0 : 1]
    agree += change * step > 0 || moved + stepped === 0 ? 1 : 0
    changed += moved
    kept += moved & stepped
  }
  return { square, product, far, agree, changed, kept }
}

interface Sums {
  readonly square: number
  readonly product: number
  readonly far: number
  readonly agree: number
  readonly changed: number
  readonly kept: number
}
