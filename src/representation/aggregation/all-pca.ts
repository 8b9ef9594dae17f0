/** All layers side by side, projected. */
import type { AggregationMethod } from './method.ts'

export const all_pca: AggregationMethod = {
  name: 'all_pca',
  reference: 'principal components of all states side by side',
  uses: ['corpus'],
  combine: ({ quality }) => ({
    kind: 'projection',
    blocks: Array.from(quality.keys(), (h) => ({ layers: [h], factor: 1 })),
    notes: {},
  }),
}
