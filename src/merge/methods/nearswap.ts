/** Takes elements that lie near the base's over, and moves far ones by at most t. mergekit `nearswap` (after Alchemonaut's QuartetAnemoi-70B). */
import { type MergeMethod, numberOf, shared } from '../method.ts'

const smallestDistance = 1e-6

export const nearswap: MergeMethod = {
  name: 'nearswap',
  reference: 'https://huggingface.co/alchemonaut/QuartetAnemoi-70B-t0.0001',
  base: 'required',
  inputs: [1, 1],
  parameters: { t: shared() },
  streaming: 'elementwise',
  tolerance: 2e-6,
  kernel({ shared: values, round }) {
    const [factor, smallest] = [numberOf(values, 't'), round(smallestDistance)]
    return {
      grain: 1,
      surveys: [],
      output({ length, base, inputs }, out) {
        const [a, b] = [base!, inputs[0]!]
        for (let i = 0; i < length; i++) {
          const distance = Math.abs(round(b[i]! - a[i]!))
          // a quotient of a number by a tensor is the tensor's reciprocal times the number there
          const share = Math.min(1, Math.max(0, round(factor * round(1 / Math.max(distance, smallest)))))
          out[i] = round(round(share * b[i]!) + round(round(1 - share) * a[i]!))
        }
      },
    }
  },
}
