/** RAM: changes that one input made alone are taken whole, shared ones averaged over those that made them. Reinforced agent merging; mergekit `ram`. */
import { type MergeMethod, numberOf, shared } from '../method.ts'

export const ram: MergeMethod = {
  name: 'ram',
  reference: 'https://github.com/arcee-ai/mergekit/pull/662',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { epsilon: shared(1e-5) },
  streaming: 'elementwise',
  tolerance: 2e-6,
  kernel({ shared: values, round }) {
    const epsilon = numberOf(values, 'epsilon')
    return {
      grain: 1,
      surveys: [],
      output({ length, base, inputs }, out) {
        for (let i = 0; i < length; i++) {
          let [sum, count] = [0, 0]
          for (let k = 0; k < inputs.length; k++) {
            const change = round(inputs[k]![i]! - base![i]!)
            // NaN counts as a change, or it would vanish
            if (Math.abs(change) <= epsilon) continue
            sum += change
            count++
          }
          out[i] = round(base![i]! + round(sum / Math.max(count, 1)))
        }
      },
    }
  },
}
