/** Layer × layer as colour: which layers of one model, or of two, are similar. */
import { decimals, dash } from '#core'
import { layerLabels, thinned } from './axis-labels.ts'
import type { Caption, Picture } from './picture.ts'
import { shadedCells } from './shaded-cells.ts'

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

/** Up to this number of layers, values are written in the cells. */
const written = 14
/** Maximum number of labels along an axis. */
const labels = 26
/** Width of a grid with many layers, in pixels. */
const room = 560

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
export function layerHeatMap({ metric, values, rows, columns, behind, domain, ...named }: LayerHeatMap): Picture {
  const labelled = (count: number, last: readonly string[] = []): string[] => [
    ...layerLabels(count - last.length),
    ...last,
  ]
  const [down, across] = [
    labelled(values.length, behind?.rows),
    labelled(Math.max(0, ...values.map(({ length }) => length)), behind?.columns),
  ]
  const most = Math.max(down.length, across.length)
  const side = most <= written ? 40 : Math.max(6, Math.floor(room / most))
  const finite = values.flat().filter((value) => Number.isFinite(value))
  return shadedCells({
    ...named,
    rows: { title: rows, labels: down, shown: thinned(down, labels) },
    columns: {
      title: columns,
      labels: across,
      shown: thinned(across, most <= written ? labels : Math.floor((side * across.length) / 30)),
    },
    legend: metric,
    domain: domain ?? spread(finite),
    cell: { width: side, height: side },
    cells: values.map((line) =>
      line.map((value) => {
        if (!Number.isFinite(value)) return { value: null, text: dash }
        return most <= written ? { value, text: decimals(value, 2) } : { value }
      }),
    ),
  })
}

/** Never empty: a colour scale needs two different ends. */
function spread(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low < high ? [low, high] : [low - 0.5, high + 0.5]
}
