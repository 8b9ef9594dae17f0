/** Layer × layer as colour: which layers of one model, or of two, are similar. */
import { dash } from '#core'
import { layerLabels } from './axis-labels.ts'
import { heatMap } from './heat-map.ts'
import type { Caption, Picture } from './picture.ts'

export interface LayerHeatMap extends Caption {
  /** Meaning of a cell: the legend's title. */
  readonly metric: string
  /** [rows' layers][columns' layers] */
  readonly values: readonly (readonly number[])[]
  /** Names of the models whose layers go down and across: titles of the axes. */
  readonly rows: string
  readonly columns: string
  /** Names of the representations listed behind the layers of either side. */
  readonly behind?: { readonly rows: readonly string[]; readonly columns: readonly string[] } | undefined
  /** Domain of the colours; default: the smallest and the largest value. */
  readonly domain?: readonly [number, number] | undefined
}

/**
 * A layer × layer matrix as a picture; h0 is top left, as in papers.
 *
 * @example
 * ```ts
 * import { layerHeatMap, renderPicture } from 'strata-lm/report'
 *
 * const values = [
 *   [1, 0.8],
 *   [0.8, 1],
 * ]
 * const picture = layerHeatMap({ title: 'Layers alike', metric: 'CKA', values, rows: 'layer', columns: 'layer' })
 * const svg = Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
 * console.log(svg.includes('Layers alike')) // → true
 * ```
 */
export function layerHeatMap({ values, rows, columns, behind, ...named }: LayerHeatMap): Picture {
  const labelled = (count: number, last: readonly string[] = []): string[] => [
    ...layerLabels(count - last.length),
    ...last,
  ]
  const width = Math.max(0, ...values.map(({ length }) => length))
  return heatMap({
    ...named,
    rows: { title: rows, labels: labelled(values.length, behind?.rows) },
    columns: { title: columns, labels: labelled(width, behind?.columns) },
    values: values.map((line) => line.map((value) => (Number.isFinite(value) ? value : null))),
    missing: dash,
  })
}
