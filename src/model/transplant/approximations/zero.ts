/** Nothing: rows of zeros. */
import type { Approximation } from '../approximation.ts'

export const zero: Approximation = {
  name: 'zero',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: 'rows of zeros',
  looksAt: 'nothing',
  random: false,
  prepare: ({ model: { width } }) =>
    Promise.resolve((from, to) => Promise.resolve(new Float32Array((to - from) * width))),
}
