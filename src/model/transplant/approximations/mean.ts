/** The mean of all the model's rows, the same for every token. */
import type { Approximation } from '../approximation.ts'
import { meanRow } from '../rows.ts'

export const mean: Approximation = {
  name: 'mean',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: "the mean of all the model's rows",
  looksAt: 'model',
  random: false,
  async prepare({ model }) {
    const row = await meanRow(model)
    return (from, to) => {
      const out = new Float64Array((to - from) * model.width)
      for (let i = 0; i < to - from; i++) out.set(row, i * model.width)
      return Promise.resolve(out)
    }
  },
}
