/** Phenomenon × layer as colour: where in a model a probe finds each phenomenon. */
import { decimals } from '#core'
import { thinned } from './axis-labels.ts'
import type { Caption, Picture } from './picture.ts'
import { shadedCells } from './shaded-cells.ts'

export interface LayerPhenomena extends Caption {
  /** Hidden states, ascending. */
  readonly layers: readonly number[]
  readonly phenomena: readonly string[]
  /** [phenomena][layers]; null where nothing was probed. */
  readonly values: readonly (readonly (number | null)[])[]
}

/** Up to this number of layers, values are written in the cells. */
const written = 26

/**
 * The first layer is on the left; colours range from 0 to 1, so that pictures of two models can be compared, and extend
 * below 0 only when a score is negative.
 */
export function layerPhenomena({ layers, phenomena, values, ...named }: LayerPhenomena): Picture {
  const labels = layers.map((h) => `h${h}`)
  const least = Math.min(0, ...values.flat().filter((value) => value !== null))
  const width = layers.length <= written ? 40 : 16
  return shadedCells({
    ...named,
    rows: { title: 'phenomenon', labels: phenomena },
    columns: { title: 'layer', labels, shown: thinned(labels, written) },
    legend: 'score',
    domain: [least, 1],
    cell: { width, height: 22 },
    cells: values.map((line) =>
      line.map((value) => (layers.length <= written ? { value, text: decimals(value, 2) } : { value })),
    ),
  })
}
