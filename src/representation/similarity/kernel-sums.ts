/**
 * Inner products of centred [texts × texts] matrices, layer by layer, without ever holding one of them: with H = 1 −
 * 1/n, ⟨HKH, HLH⟩ = ⟨K, L⟩ − 2/n · K1 · L1 + 1ᵀK1 · 1ᵀL1 / n², and each term is a sum over rows.
 */
import type { Matrix, Matrix64 } from '#core'
import { timesTransposed } from '#platform/linalg'
import type { Layers } from './similarity.ts'

/** A symmetric function of two texts through their squared Euclidean distance. */
export type Kernel = (squaredDistance: number) => number

/** Bytes of the blocks of all layers together. */
const blockBytes = 256 * 2 ** 20

/** [xs × ys] inner products ⟨HKH, HLH⟩, and those of each layer with itself. `kernels`: one per layer. */
export async function centredKernels(
  xs: Layers,
  ys: Layers | undefined,
  kernelOf: (layer: Matrix) => Promise<Kernel> | Kernel,
): Promise<{ cross: Float64Array; ownX: Float64Array; ownY: Float64Array }> {
  const all = ys === undefined ? xs : [...xs, ...ys]
  const rows = all[0]?.rows ?? 0
  const distances: Distances[] = []
  const kernels: Kernel[] = []
  for (const layer of all) {
    distances.push(squaredDistances(layer))
    kernels.push(await kernelOf(layer))
  }
  const count = all.length
  const products = new Float64Array(count * count)
  const sums = all.map(() => new Float64Array(rows))
  const wanted = (i: number, j: number): boolean => ys === undefined || i === j || (i < xs.length && j >= xs.length)
  const step = Math.max(1, Math.floor(blockBytes / (8 * Math.max(1, rows) * Math.max(1, count))))
  for (let from = 0; from < rows; from += step) {
    const blocks: Float64Array[] = []
    for (const [k, of] of distances.entries()) {
      const block = await of(from, Math.min(rows, from + step))
      const [kernel, own] = [kernels[k]!, sums[k]!]
      for (let at = 0; at < block.length; at++) {
        const value = kernel(block[at]!)
        block[at] = value
        own[from + Math.floor(at / rows)]! += value
      }
      blocks.push(block)
    }
    for (let i = 0; i < count; i++)
      for (let j = i; j < count; j++) if (wanted(i, j)) products[i * count + j]! += dot(blocks[i]!, blocks[j]!)
  }
  const totals = sums.map((own) => own.reduce((sum, value) => sum + value, 0))
  const centredAt = (i: number, j: number): number =>
    (products[Math.min(i, j) * count + Math.max(i, j)] ?? NaN) -
    (2 / rows) * dot(sums[i]!, sums[j]!) +
    (totals[i]! * totals[j]!) / rows ** 2
  const offset = ys === undefined ? 0 : xs.length
  const width = ys?.length ?? xs.length
  return {
    cross: Float64Array.from({ length: xs.length * width }, (_, at) =>
      centredAt(Math.floor(at / width), offset + (at % width)),
    ),
    ownX: Float64Array.from(xs, (_, i) => centredAt(i, i)),
    ownY: Float64Array.from({ length: width }, (_, j) => centredAt(offset + j, offset + j)),
  }
}

/** Squared distances of texts `from` … `to` − 1 to every text, [to − from × texts]. */
type Distances = (from: number, to: number) => Promise<Float64Array<ArrayBuffer>>

export function squaredDistances({ rows, width, data }: Matrix): Distances {
  const wide: Matrix64 = { rows, width, data: Float64Array.from(data) }
  const squares = Float64Array.from({ length: rows }, (_, i) => {
    const own = wide.data.subarray(i * width, (i + 1) * width)
    return dot(own, own)
  })
  return async (from, to) => {
    const out = new Float64Array((to - from) * rows)
    await timesTransposed({ rows: to - from, width, data: wide.data.subarray(from * width, to * width) }, wide, out)
    for (let i = from; i < to; i++)
      for (let j = 0; j < rows; j++) {
        const at = (i - from) * rows + j
        // a text is at no distance from itself, whatever rounding says
        out[at] = i === j ? 0 : Math.max(0, squares[i]! + squares[j]! - 2 * out[at]!)
      }
    return out
  }
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
