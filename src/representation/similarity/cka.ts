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

/** ‖XᵀY‖_F², of [width × texts] each. */
export async function crossSquares(x: Matrix, y: Matrix): Promise<number> {
  const cross = await timesTransposed(x, y)
  let sum = 0
  for (const value of cross) sum += value * value
  return sum
}
