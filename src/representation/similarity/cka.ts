/** Linear centred kernel alignment in its [width × width] form: no Gram matrix of texts is ever made. */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'
import { centredPanels } from './centre.ts'
import { pairwise, type Similarity } from './similarity.ts'

interface Centred {
  readonly panels: readonly Matrix[]
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
      const panels = centredPanels(layer)
      return { panels, norm: Math.sqrt(await ownSquares(panels)) }
    },
    async pair(x, y) {
      const scale = x.norm * y.norm
      if (scale === 0) return 0
      return x === y ? 1 : (await crossSquares(x.panels, y.panels)) / scale
    },
  }),
}

/** ‖XᵀY‖_F², of panels [width × texts] with as many texts in both. Products are float32, their sum over the panels float64. */
export async function crossSquares(x: readonly Matrix[], y: readonly Matrix[]): Promise<number> {
  let total: Float64Array | undefined
  let [into, squares] = [new Float32Array(), 0]
  for (const [i, panel] of x.entries()) {
    const other = y[i]!
    if (into.length === 0) into = new Float32Array(panel.rows * other.rows)
    await timesTransposed(panel, other, into)
    if (total === undefined) total = Float64Array.from(into)
    else for (let k = 0; k < into.length; k++) total[k]! += into[k]!
  }
  for (const value of total ?? []) squares += value * value
  return squares
}

/** ‖XᵀX‖_F²: what lies below the middle of the product stands above it too. */
export async function ownSquares(x: readonly Matrix[]): Promise<number> {
  const half = (x[0]?.rows ?? 0) >> 1
  const part = (from: number, to?: number): Matrix[] =>
    x.map(({ rows, width, data }) => ({ rows: (to ?? rows) - from, width, data: data.subarray(from * width, (to ?? rows) * width) }))
  const [upper, lower] = [part(0, half), part(half)]
  return (await crossSquares(upper, upper)) + 2 * (await crossSquares(upper, lower)) + (await crossSquares(lower, lower))
}
