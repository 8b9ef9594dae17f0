/** Centred kernel alignment of Gaussian kernels: near texts count, far ones do not. */
import type { Matrix } from '#core'
import { centredKernels, squaredDistances } from './kernel-sums.ts'
import type { Similarity } from './similarity.ts'

/** Kernel exp(−d² / 2σ²), σ² the median squared distance of the layer, a text to itself included. */
export const cka_rbf: Similarity = {
  name: 'cka_rbf',
  title: 'CKA_rbf',
  reference: 'Kornblith et al. 2019, https://arxiv.org/abs/1905.00414; bandwidth of its published code at threshold 1',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  async between(xs, ys) {
    const { cross, ownX, ownY } = await centredKernels(xs, ys, gaussian)
    const width = ownY.length
    return cross.map((value, at) => {
      const scale = Math.sqrt(ownX[Math.floor(at / width)]! * ownY[at % width]!)
      return scale > 0 ? value / scale : 0
    })
  },
}

async function gaussian(layer: Matrix): Promise<(squared: number) => number> {
  const median = await medianDistance(layer)
  // more than half of the texts are the same: the kernel is 1 for them and 0 for all others
  return median === 0 ? (squared) => Number(squared === 0) : (squared) => Math.exp(-squared / (2 * median))
}

/** Rows of distances computed at a time. */
const blockRows = 256
/** Upper bits of a positive float64 by which values are counted: exponent and eight bits of the fraction. */
const shift = 12

/**
 * Median over all ordered pairs, as numpy's: the mean of the two in the middle. Values are counted first, then only
 * those of the median's own order of magnitude are held.
 */
async function medianDistance(layer: Matrix): Promise<number> {
  const distances = squaredDistances(layer)
  const eachBlock = async (visit: (values: Float64Array, upper: Uint32Array) => void): Promise<void> => {
    for (let from = 0; from < layer.rows; from += blockRows) {
      const values = await distances(from, Math.min(layer.rows, from + blockRows))
      visit(values, new Uint32Array(values.buffer))
    }
  }
  const counts = new Uint32Array(2 ** 20)
  await eachBlock((values, words) => {
    for (let i = 0; i < values.length; i++) counts[words[2 * i + 1]! >>> shift]!++
  })
  const total = layer.rows ** 2
  const [low, high] = [bucketOf(counts, Math.floor((total - 1) / 2)), bucketOf(counts, total >> 1)]
  const held: number[] = []
  await eachBlock((values, words) => {
    for (let i = 0; i < values.length; i++) {
      const bucket = words[2 * i + 1]! >>> shift
      if (bucket >= low.bucket && bucket <= high.bucket) held.push(values[i]!)
    }
  })
  const sorted = Float64Array.from(held).sort()
  const at = (rank: number): number => sorted[rank - low.before] ?? NaN
  return (at(Math.floor((total - 1) / 2)) + at(total >> 1)) / 2
}

/** Where the value of a rank, from 0, is counted, and how many values lie before that. */
function bucketOf(counts: Uint32Array, rank: number): { bucket: number; before: number } {
  let before = 0
  for (const [bucket, count] of counts.entries()) {
    if (rank < before + count) return { bucket, before }
    before += count
  }
  return { bucket: counts.length - 1, before }
}
