/** One tensor as it is, or scaled: for frankenmerges and block expansion. mergekit `passthrough`. */
import { type MergeMethod, numberOf, perModel } from './method.ts'

export const passthrough: MergeMethod = {
  name: 'passthrough',
  reference: 'https://arxiv.org/abs/2403.13257',
  base: 'none',
  inputs: [1, 1],
  parameters: { scale: perModel(null) },
  streaming: 'elementwise',
  // The scaled product may be rounded twice there.
  tolerance: 2e-6,
  kernel({ perModel: [values], round }) {
    const scale = values?.['scale'] === null || values?.['scale'] === undefined ? 1 : numberOf(values, 'scale')
    return {
      grain: 1,
      passes: [],
      output({ length, inputs }, out) {
        const input = inputs[0]!
        if (scale === 1) out.set(input)
        else for (let i = 0; i < length; i++) out[i] = round(scale * input[i]!)
      },
    }
  },
}
