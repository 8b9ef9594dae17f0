/** Takes elements that lie near the base's over, and moves far ones by at most t. mergekit `nearswap` (after Alchemonaut's QuartetAnemoi-70B). */
import { code, get, set, simd, words } from '#platform/wasm'
import { type MergeMethod, numberOf, shared } from './method.ts'
import { vectorFormula } from './elementwise-simd.ts'

const smallestDistance = 1e-6

export const nearswap: MergeMethod = {
  name: 'nearswap',
  reference: 'https://huggingface.co/alchemonaut/QuartetAnemoi-70B-t0.0001',
  base: 'required',
  inputs: [1, 1],
  parameters: { t: shared() },
  streaming: 'elementwise',
  tolerance: 2e-6,
  kernel({ shared: values, round, compat }) {
    const [factor, smallest] = [numberOf(values, 't'), round(smallestDistance)]
    return {
      grain: 1,
      surveys: [],
      output(block, out) {
        if (compat !== 'mergekit-0.1.4' && onVectors(block, [factor, smallest, 1], out)) return
        const { length, base, inputs } = block
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

const [magnitude, least, largest] = [simd(0xec), simd(0xf4), simd(0xf5)]
const [add, subtract, multiply, divide] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0xf3)]

const onVectors = vectorFormula(({ base, inputs: [input], constants: [factor, smallest, one], scratch: [share] }) =>
  code(
    code(get(one!), words(0, 0, 0, 0), get(factor!), get(one!), get(input!), get(base), subtract, magnitude, get(smallest!), largest, divide, multiply),
    code(largest, least, set(share), get(share), get(input!), multiply, get(one!), get(share), subtract, get(base), multiply, add),
  ),
)
