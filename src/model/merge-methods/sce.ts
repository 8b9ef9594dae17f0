/**
 * SCE: select the elements whose changes vary most between the inputs, calculate each input's weight from its squared
 * changes, erase minority signs. Wan et al. 2024. Differs from mergekit where that falls back on equal weights for all
 * small changes, and where nothing varies: then every element is selected instead of none.
 */
import type { Floats } from '#core'
import { type Block, type MergeMethod, numberOf, shared, sharedFlag } from './method.ts'
import { chunkLength, fitsVectors } from './fits-vectors.ts'
import { type Cut, ranking } from './ranking.ts'
import { plainSce, type SceChunk, unselected } from './sce-loops.ts'
import { vectorSce } from './sce-simd.ts'

export const sce: MergeMethod = {
  name: 'sce',
  reference: 'https://arxiv.org/abs/2408.07990',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { select_topk: shared(1), int8_mask: { ...sharedFlag(false), help: 'accepted; changes nothing' } },
  streaming: 'selection',
  tolerance: 2e-6,
  deviations: [
    'a tensor that is the same in all inputs keeps its shape; 0.1.4 stacks its copies, and stops at scalars',
    'weights are the shares of the squares however small these are; mergekit takes equal weights below a sum of mean squares of 1e-6, that is for most fine-tunes',
    'where nothing varies between the inputs every element is selected; mergekit selects none',
    'of equal variances on the border the first are selected; the selection of mergekit leaves it open',
  ],
  kernel({ inputs: models, count, shared: settings, compat, round }) {
    const topk = numberOf(settings, 'select_topk')
    const classic = compat === 'mergekit-0.1.4'
    const chunk = Math.min(chunkLength, Math.max(count, 1))
    const notes: string[] = []
    const squares = new Float64Array(models)
    let varying = 0
    const order = ranking(() => [selectedOf(topk, varying, classic, notes)])
    let border: Border | undefined
    let weights: readonly number[] | undefined

    let loops: SceChunk | undefined
    const inChunks = (
      block: Block,
      out: Floats | undefined,
      step: (work: SceChunk, from: number, size: number) => void,
    ): void => {
      const work =
        !classic && fitsVectors(block, out, chunk)
          ? vectorSce(models)
          : (loops ??= plainSce(models, chunk, classic ? round : undefined))
      for (let from = 0; from < block.length; from += chunk) {
        const size = Math.min(chunk, block.length - from)
        work.begin(block, from, size)
        step(work, from, size)
      }
    }
    /** The key above which elements of the chunk are selected; undefined: all are. */
    const limitAt = (work: SceChunk, place: number, size: number): number | undefined => {
      if (topk >= 1) return undefined
      border ??= borderOf(order.cuts()[0]!)
      if (place === 0) border.seen = 0
      work.measure()
      return limitOf(border, work, size)
    }
    const rankings = [order.high, order.low].map((rank, stage) => (block: Block) => {
      inChunks(block, undefined, (work, _from, size) => {
        work.measure()
        if (stage === 0) varying += size - work.count(0)
        rank(work.keys, size)
      })
    })
    const summing = (block: Block): void => {
      inChunks(block, undefined, (work, from, size) =>
        work.addSquares(limitAt(work, block.offset + from, size), squares),
      )
    }
    return {
      grain: 1,
      notes,
      passes: [...(topk < 1 ? rankings : []), summing],
      output(block, out) {
        const shares = (weights ??= classic ? roundedWeights(squares, count, round) : weightsOf(squares))
        inChunks(block, out, (work, from, size) => work.output(limitAt(work, block.offset + from, size), shares, out))
      },
    }
  },
}

interface Border extends Cut {
  /** Number of earlier keys that equal the border's. */
  seen: number
}

/** Keys have no sign: a border above all of them lies at the largest. */
const borderOf = ({ key, equals }: Cut): Border => ({ key: Math.min(key, 0x7fffffff), equals, seen: 0 })

/**
 * What the keys selected in this chunk are greater than. Where the last of the border's equals lies within, those
 * behind it are marked.
 */
function limitOf(border: Border, work: SceChunk, size: number): number {
  const { key, equals } = border
  if (border.seen >= equals) return key
  border.seen += work.count(key)
  for (let i = size - 1; border.seen > equals; i--) {
    if (work.keys[i] !== key) continue
    work.keys[i] = unselected
    border.seen--
  }
  return key - 1
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
