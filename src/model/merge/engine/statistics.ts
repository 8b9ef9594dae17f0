/**
 * What a merge did to a tensor: norms, cosine of the output to each input, agreement of signs with it, share of its
 * changes that was kept.
 */
import type { Floats } from '#core'
import type { Block } from '#model/merge-methods'
import { runLength, type RunSums, sumsOfRun } from './statistics-simd.ts'

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

/** Larger tensors are sampled. */
export const mostElements = 2 ** 19

export interface StatisticsSum {
  /** Runs of a block that are looked at: its elements from … to, at most `runLength`. */
  chosen(offset: number, length: number): readonly (readonly [from: number, to: number])[]
  /** Blocks in their order. */
  add(block: Block, out: Floats): void
  result(): TensorStatistics
}

/** Whole runs are chosen and summed, each from its beginning, so that blocks of any size give the same. */
export function tensorStatistics(count: number, inputs: number, hasBase: boolean): StatisticsSum {
  const every = Math.max(1, Math.ceil(count / mostElements))
  const nothing: RunSums = { square: 0, product: 0, far: 0, agree: 0, changed: 0, kept: 0 }
  const sums = Array.from({ length: inputs + 1 }, () => nothing)
  const room = (): Float64Array => new Float64Array(Math.min(count, runLength))
  const held = { base: hasBase ? room() : undefined, inputs: Array.from({ length: inputs }, room), out: room() }
  let elements = 0
  const chosen = (offset: number, length: number): [number, number][] => {
    const runs: [number, number][] = []
    for (let start = 0; start < length;) {
      const place = offset + start
      const end = Math.min(length, start + runLength - (place % runLength))
      if (Math.floor(place / runLength) % every === 0) runs.push([start, end])
      start = end
    }
    return runs
  }
  return {
    chosen,
    add({ offset, length, base, inputs: values }, out) {
      for (const [start, end] of chosen(offset, length)) {
        const from = (offset + start) % runLength
        const hold = (into: Float64Array | undefined, all: Floats | undefined): void => {
          if (all !== undefined) into?.set(all.subarray(start, end), from)
        }
        hold(held.base, base)
        values.forEach((value, k) => hold(held.inputs[k], value))
        hold(held.out, out)
        const to = from + end - start
        if (to < runLength && offset + end < count) continue
        elements += to
        sumsOfRun(held.base, held.inputs, held.out, to).forEach((more, k) => (sums[k] = added(sums[k]!, more)))
      }
    },
    result() {
      const own = sums[inputs]!
      return {
        elements,
        norm: Math.sqrt(own.square),
        distance: hasBase ? Math.sqrt(own.far) : null,
        inputs: sums.slice(0, inputs).map((one) => ({
          norm: Math.sqrt(one.square),
          cosine: one.square === 0 || own.square === 0 ? 0 : one.product / Math.sqrt(one.square * own.square),
          signAgreement: elements === 0 ? 1 : one.agree / elements,
          kept: hasBase ? keptShare(one) : null,
          distance: hasBase ? Math.sqrt(one.far) : null,
        })),
      }
    },
  }
}

function keptShare({ changed, kept }: RunSums): number {
  return changed === 0 ? 1 : kept / changed
}

function added(a: RunSums, b: RunSums): RunSums {
  return {
    square: a.square + b.square,
    product: a.product + b.product,
    far: a.far + b.far,
    agree: a.agree + b.agree,
    changed: a.changed + b.changed,
    kept: a.kept + b.kept,
  }
}
