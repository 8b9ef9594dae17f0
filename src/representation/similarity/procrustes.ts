/** How well two layers match after the best rotation. */
import type { Matrix, Matrix64 } from '#core'
import { svd, timesTransposed } from '#platform/linalg'
import { centred } from './centre.ts'
import { pairwise, type Similarity } from './similarity.ts'

/** ‖XᵀY‖_* of centred layers of Frobenius norm 1: with d the distance after the best orthogonal map, 1 − d² / 2. */
export const procrustes: Similarity = {
  name: 'procrustes',
  title: 'Procrustes',
  reference: 'Ding, Denain and Steinhardt 2021, https://arxiv.org/abs/2108.01661, section 2',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise<Matrix64>({
    symmetric: true,
    ready: unitColumns,
    async pair(x, y) {
      const { s } = await svd({ rows: x.rows, width: y.rows, data: await timesTransposed(x, y) })
      return Math.min(
        1,
        s.reduce((sum, value) => sum + value, 0),
      )
    },
  }),
}

/** [width × texts], centred over the texts, of Frobenius norm 1; without variance all zero. */
function unitColumns(layer: Matrix): Matrix64 {
  const { rows, width, data } = centred(layer)
  const norm = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0))
  const out = new Float64Array(data.length)
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < width; k++) out[k * rows + i] = norm === 0 ? 0 : data[i * width + k]! / norm
  return { rows: width, width: rows, data: out }
}
