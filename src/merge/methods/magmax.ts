/** MagMax: of each element the change that is largest; of equal ones the later input's. Marczak et al. 2024. */
import { type MergeMethod, numberOf, shared } from '../method.ts'

export const magmax: MergeMethod = {
  name: 'magmax',
  reference: 'https://arxiv.org/abs/2407.06322',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { scale: shared(1) },
  streaming: 'elementwise',
  tolerance: 'not in mergekit',
  kernel({ shared: values }) {
    const scale = numberOf(values, 'scale')
    return {
      grain: 1,
      surveys: [],
      output({ length, base, inputs }, out) {
        for (let i = 0; i < length; i++) {
          let [largest, size] = [0, 0]
          for (let k = 0; k < inputs.length; k++) {
            const change = inputs[k]![i]! - base![i]!
            const own = Math.abs(change)
            // a NaN is taken, and then nothing compares as larger
            if (own >= size || Number.isNaN(own)) [largest, size] = [change, own]
          }
          out[i] = base![i]! + scale * largest
        }
      },
    }
  },
}
