/** What needs no similarity: the mean of all layers, one of them, all by their quality. */
import { type AggregationMethod, indexOfLargest, normalised, oneHot } from './method.ts'

export const mean: AggregationMethod = {
  name: 'mean',
  reference: 'mean of all states',
  uses: [],
  combine: ({ quality }) => ({ kind: 'sum', weights: quality.map(() => 1 / quality.length), notes: {} }),
}

export const last: AggregationMethod = {
  name: 'last',
  reference: 'the last state',
  uses: [],
  combine: ({ quality }) => ({ kind: 'sum', weights: oneHot(quality.length, quality.length - 1), notes: {} }),
}

/** The first of the best. */
export const best: AggregationMethod = {
  name: 'best',
  reference: 'the state of the highest quality',
  uses: ['quality'],
  combine: ({ quality }) => ({ kind: 'sum', weights: oneHot(quality.length, indexOfLargest(quality)), notes: {} }),
}

export const weighted_best: AggregationMethod = {
  name: 'weighted_best',
  reference: 'all states, weighted by their quality',
  uses: ['quality'],
  combine: ({ quality }) => ({ kind: 'sum', weights: normalised(quality), notes: {} }),
}
