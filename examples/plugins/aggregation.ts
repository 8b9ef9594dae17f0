// A way to combine layers: all states, weighted by a softmax of their quality; λ is the temperature.
// strata aggregate ./model --tasks STSBenchmark --methods soft_quality --plugin examples/plugins/aggregation.ts
import { defineAggregationMethod } from 'strata-lm/plugin'

export const soft = defineAggregationMethod({
  name: 'soft_quality',
  uses: ['quality', 'lambda'],
  combine({ quality }, { lambda }) {
    const best = quality.reduce((most, value) => Math.max(most, value), -Infinity)
    const heat = Math.max(lambda, 0.01)
    const powers = quality.map((value) => Math.exp((value - best) / heat))
    const sum = powers.reduce((total, value) => total + value, 0)
    return { kind: 'sum', weights: powers.map((value) => value / sum), notes: { best } }
  },
})
