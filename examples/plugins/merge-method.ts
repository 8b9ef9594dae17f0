// A merge method: each weight is the median of the models’ (Yin et al. 2018).
// strata merge recipe.yml ./merged --plugin examples/plugins/merge-method.ts
import { defineMergeMethod } from 'strata-lm/plugin'

export const median = defineMergeMethod({
  name: 'coordinate_median',
  reference: 'https://arxiv.org/abs/1803.01498',
  base: 'none',
  inputs: [1, Infinity],
  parameters: {},
  streaming: 'elementwise',
  kernel: () => ({
    grain: 1,
    passes: [],
    output({ inputs, length }, out) {
      for (let i = 0; i < length; i++) {
        const values = inputs.map((input) => input[i] ?? NaN).sort((a, b) => a - b)
        const [low = NaN, high = NaN] = [values[(values.length - 1) >> 1], values[values.length >> 1]]
        out[i] = values.some(Number.isNaN) ? NaN : (low + high) / 2
      }
    },
  }),
})
