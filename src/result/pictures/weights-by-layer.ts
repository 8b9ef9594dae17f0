/** Weight of each layer in a mix: bars, one row per mix. */
import { layerLabels, thinned } from './axis-labels.ts'
import { caption, type Caption, type Picture } from './picture.ts'

export interface WeightsByLayer extends Caption {
  /** Named by method, price and further settings; one weight per hidden state from h0 on. */
  readonly mixes: readonly { readonly name: string; readonly weights: readonly number[] }[]
}

/** All rows share one scale, so that they can be compared. */
export function weightsByLayer({ mixes, ...named }: WeightsByLayer): Picture {
  const labels = layerLabels(Math.max(0, ...mixes.map(({ weights }) => weights.length)))
  const step = Math.max(8, Math.min(32, Math.floor(640 / Math.max(1, labels.length))))
  return {
    title: caption(named),
    data: {
      values: mixes.flatMap(({ name, weights }) => weights.map((weight, h) => ({ name, layer: `h${h}`, weight }))),
    },
    facet: {
      row: {
        field: 'name',
        type: 'nominal',
        sort: mixes.map(({ name }) => name),
        title: null,
        header: { labelOrient: 'top', labelAnchor: 'start', labelLimit: 640 },
      },
    },
    spacing: 14,
    spec: {
      width: { step },
      height: 56,
      mark: { type: 'bar' },
      encoding: {
        x: {
          field: 'layer',
          type: 'nominal',
          sort: labels,
          title: 'hidden state',
          axis: {
            labelAngle: 0,
            labelOverlap: false,
            values: thinned(labels, Math.floor((step * labels.length) / 30)),
          },
        },
        y: { field: 'weight', type: 'quantitative', title: 'weight', axis: { tickCount: 2 } },
      },
    },
  }
}
