/** Linear CKA from the unbiased estimator of HSIC, which few texts in many dimensions do not push towards 1. */
import type { Matrix } from '#core'
import { centredTransposed } from './centre.ts'
import { crossSquares } from './cka.ts'
import { pairwise, type Similarity } from './similarity.ts'

interface Centred {
  /** [width × texts] */
  readonly columns: Matrix
  /** Squared norms of the texts, and their sum. */
  readonly squares: Float64Array
  readonly total: number
  /** The estimate of the layer with itself. */
  readonly own: number
}

/** Below four texts the estimator is not defined: 0. */
export const cka_debiased: Similarity = {
  name: 'cka_debiased',
  title: 'CKA_debiased',
  reference: 'Song et al. 2012 (HSIC_1), in the features of Nguyen et al. 2021, https://arxiv.org/abs/2010.15327',
  range: [-1, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise<Centred>({
    symmetric: true,
    async ready(layer) {
      const columns = centredTransposed(layer)
      const squares = new Float64Array(layer.rows)
      columns.data.forEach((value, at) => (squares[at % layer.rows]! += value * value))
      const total = squares.reduce((sum, value) => sum + value, 0)
      const bare = { columns, squares, total, own: 0 }
      return { ...bare, own: await estimate(bare, bare) }
    },
    async pair(x, y) {
      if (x === y) return x.own > 0 ? 1 : 0
      // an estimate may fall below zero, where a root has no meaning
      return x.own <= 0 || y.own <= 0 ? 0 : (await estimate(x, y)) / Math.sqrt(x.own * y.own)
    },
  }),
}

/** n(n − 3) · HSIC_1 of linear kernels: sums over distinct texts, from what the centred features say. */
async function estimate(x: Centred, y: Centred): Promise<number> {
  const n = x.squares.length
  if (n < 4) return 0
  let shared = 0
  for (let i = 0; i < n; i++) shared += x.squares[i]! * y.squares[i]!
  return (await crossSquares(x.columns, y.columns)) - (n / (n - 2)) * shared + (x.total * y.total) / ((n - 1) * (n - 2))
}
