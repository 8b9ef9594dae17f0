/** Linear centred kernel alignment in its [width × width] form: no Gram matrix of texts is ever made. */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'
import { centredTransposed } from './centre.ts'
import { pairwise, type Similarity } from './similarity.ts'

interface Centred {
  /** [width × texts] */
  readonly columns: Matrix
  /** ‖XᵀX‖_F */
  readonly norm: number
}

/** ‖XᵀY‖_F² / (‖XᵀX‖_F ‖YᵀY‖_F); a layer without variance is like nothing: 0. */
export const cka: Similarity = {
  name: 'cka',
  title: 'CKA',
  reference: 'Kornblith et al. 2019, https://arxiv.org/abs/1905.00414',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise<Centred>({
    symmetric: true,
    async ready(layer) {
      const columns = centredTransposed(layer)
      return { columns, norm: Math.sqrt(await crossSquares(columns, columns)) }
    },
    async pair(x, y) {
      const scale = x.norm * y.norm
      if (scale === 0) return 0
      return x === y ? 1 : (await crossSquares(x.columns, y.columns)) / scale
    },
  }),
}

/**
 * Columns of Y whose products with X are computed in one call: the engine brings those of its second factor into an
 * order of its own each time. X has twice as many, so that threads share those and add up in the same order.
 */
const together = 128
/** Smaller products are not the engine's. */
const least = 2 ** 20

/** ‖XᵀY‖_F², of [width × texts] each; the part of XᵀX above the diagonal is not computed. */
export async function crossSquares(x: Matrix, y: Matrix): Promise<number> {
  const isWorthParts = x.rows >= 2 * together && together * together * x.width >= least
  const parts = isWorthParts ? Math.max(1, Math.floor(y.rows / together)) : 1
  const cross = new Float32Array(x.rows * y.rows)
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part, part + 1].map((k) => Math.floor((k * y.rows) / parts)) as [number, number]
    const first = x === y ? from : 0
    const products = await timesTransposed(rowsOf(x, first, x.rows), rowsOf(y, from, to))
    for (let i = first; i < x.rows; i++) {
      const at = (i - first) * (to - from)
      cross.set(products.subarray(at, at + to - from), i * y.rows + from)
      if (x === y) for (let j = from; j < to; j++) cross[j * y.rows + i] = products[at + j - from]!
    }
  }
  let sum = 0
  for (const value of cross) sum += value * value
  return sum
}

function rowsOf({ width, data }: Matrix, from: number, to: number): Matrix {
  return { rows: to - from, width, data: data.subarray(from * width, to * width) }
}
