/** Standard normal deviates. */
import type { Approximation } from '../approximation.ts'

export const randn: Approximation = {
  name: 'randn',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: 'normal deviates of variance 1',
  looksAt: 'nothing',
  random: true,
  prepare: ({ model: { width }, normal }) =>
    Promise.resolve((from, to) => {
      const out = new Float64Array((to - from) * width)
      normal(from * width, out)
      return Promise.resolve(out)
    }),
}
