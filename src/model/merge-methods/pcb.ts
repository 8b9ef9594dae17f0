/**
 * PCB: elements compete within their task vector (intra) and with those of the others (inter); the strongest share of
 * each is averaged by its strength. Du et al. 2024, eqs. 2–6, tensor by tensor. Strengths differ from the uniform 1/n
 * by tiny amounts, so they are compared by that difference.
 */
import { type Block, type MergeMethod, numberOf, shared } from './method.ts'
import { orderedBits } from './arcee-fusion.ts'
import { type Cut, keyScratch, ranking } from './ranking.ts'

const chunkLength = 2 ** 11

export const pcb: MergeMethod = {
  name: 'pcb',
  reference: 'https://arxiv.org/abs/2410.02396',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { density: shared(0.2), lambda: shared(1) },
  streaming: 'selection',
  tolerance: 'not in mergekit',
  kernel({ inputs: models, count, shared: values }) {
    const [density, lambda] = [numberOf(values, 'density'), numberOf(values, 'lambda')]
    const notes: string[] = []
    const wanted = Math.floor(density * count)
    if (wanted < 1)
      notes.push(`density ${density} of ${count} elements keeps none: the strongest one of each input was kept`)
    const orders = Array.from({ length: models }, () => ranking(() => [Math.max(1, wanted)]))
    const { norms, intraSums, interSums, changes, load, scaled, strength, plain } = strengthsOf(models)
    const scratch = keyScratch(Math.min(chunkLength, Math.max(count, 1)))
    let borders: readonly Cut[] | undefined
    const seen = new Float64Array(models)

    const rankings = (['high', 'low'] as const).map((which) => (block: Block) => {
      for (let k = 0; k < models; k++) {
        for (let from = 0; from < block.length; from += scratch.values.length) {
          const size = Math.min(scratch.values.length, block.length - from)
          for (let i = 0; i < size; i++) {
            load(block, from + i)
            scratch.values[i] = strength(k)
          }
          orderedBits(scratch.bits)
          orders[k]![which](scratch.bits, size)
        }
      }
    })
    return {
      grain: 1,
      notes,
      passes: [
        (block) => {
          for (let i = 0; i < block.length; i++) {
            load(block, i)
            for (let a = 0; a < models; a++)
              for (let b = 0; b < models; b++) norms[a * models + b]! += (changes[a]! * changes[b]!) ** 2
          }
        },
        (block) => {
          for (let i = 0; i < block.length; i++) {
            load(block, i)
            for (let a = 0; a < models; a++) {
              intraSums[a]! += Math.exp(models * scaled(a, a))
              for (let b = 0; b < models; b++) interSums[a * models + b]! += Math.exp(scaled(a, b))
            }
          }
        },
        ...rankings,
      ],
      output(block, out) {
        borders ??= orders.map((order) => order.cuts()[0]!)
        const one = keyScratch(1)
        for (let i = 0; i < block.length; i++) {
          load(block, i)
          let [sum, whole] = [0, 0]
          for (let k = 0; k < models; k++) {
            const own = strength(k)
            one.values[0] = own
            orderedBits(one.bits)
            const { key, equals } = borders[k]!
            const bits = one.bits[0]!
            const same = bits === key
            const keep = bits > key || (same && seen[k]! < equals)
            if (same) seen[k]!++
            const weight = keep ? (1 + own) * plain(k) : 0
            sum += weight * changes[k]!
            whole += weight
          }
          out[i] = block.base![i]! + (whole === 0 ? sum : (lambda * sum) / whole)
        }
      },
    }
  },
}

/** Sums over a tensor, and what they make of the element that is loaded. */
// oxlint-disable-next-line explicit-function-return-type -- sums and what reads them, for one caller
function strengthsOf(models: number) {
  const norms = new Float64Array(models * models)
  const intraSums = new Float64Array(models)
  const interSums = new Float64Array(models * models)
  const changes = new Float64Array(models)

  const load = ({ base, inputs }: Block, i: number): void => {
    for (let k = 0; k < models; k++) changes[k] = inputs[k]![i]! - base![i]!
  }
  const scaled = (i: number, j: number): number => {
    const norm = norms[i * models + j]!
    return norm === 0 ? 0 : (changes[i]! * changes[j]!) / Math.sqrt(norm)
  }
  /**
   * How far the strength of the loaded element of task i lies from that of an element with no change, as a share of
   * it.
   */
  const strength = (i: number): number => {
    let [sum, whole] = [0, 0]
    for (let j = 0; j < models; j++) {
      sum += Math.expm1(scaled(i, j)) / interSums[i * models + j]!
      whole += 1 / interSums[i * models + j]!
    }
    const [intra, inter] = [Math.expm1(models * scaled(i, i)), sum / whole]
    return intra + inter + intra * inter
  }
  /** Strength of an element of task i that is no change at all. */
  const plain = (i: number): number => {
    let whole = 0
    for (let j = 0; j < models; j++) whole += 1 / interSums[i * models + j]!
    return whole / intraSums[i]!
  }
  return { norms, intraSums, interSums, changes, load, scaled, strength, plain }
}
