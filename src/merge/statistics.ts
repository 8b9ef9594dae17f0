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
  const sums = Array.from({ length: inputs }, () => ({ square: 0, product: 0, agree: 0, changed: 0, kept: 0, far: 0 }))
  let [elements, square, far] = [0, 0, 0]
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
      norm: Math.sqrt(square),
      distance: hasBase ? Math.sqrt(far) : null,
      inputs: sums.map((one) => ({
        norm: Math.sqrt(one.square),
        cosine: one.square === 0 || square === 0 ? 0 : one.product / Math.sqrt(one.square * square),
        signAgreement: elements === 0 ? 1 : one.agree / elements,
        kept: hasBase ? (one.changed === 0 ? 1 : one.kept / one.changed) : null,
        distance: hasBase ? Math.sqrt(one.far) : null,
      })),
    }),
  }

  function addRun({ base, inputs: values }: Block, out: Floats, start: number, end: number): void {
    elements += end - start
    for (let i = start; i < end; i++) {
      const from = base === undefined ? 0 : base[i]!
      square += out[i]! * out[i]!
      far += (out[i]! - from) ** 2
    }
    values.forEach((input, k) => {
      const sum = sums[k]!
      for (let i = start; i < end; i++) {
        const from = base === undefined ? 0 : base[i]!
        const [change, result] = [input[i]! - from, out[i]! - from]
        sum.square += input[i]! * input[i]!
        sum.product += input[i]! * out[i]!
        sum.far += change * change
        if (Math.sign(change) === Math.sign(result)) sum.agree++
        if (change !== 0) {
          sum.changed++
          if (result !== 0) sum.kept++
        }
      }
    })
  }
}
