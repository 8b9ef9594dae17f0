/** MagMax: of each element the change that is largest; of equal ones the later input's. Marczak et al. 2024. */
import { code, get, set, simd, words } from '#platform/wasm'
import { type MergeMethod, numberOf, shared } from './method.ts'
import { vectorFormula } from './elementwise-simd.ts'

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
      output(block, out) {
        if (onVectors(block, [scale], out)) return
        const { length, base, inputs } = block
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

const [or, choose, magnitude] = [simd(0x50), simd(0x52), simd(0xec)]
const [add, subtract, multiply, unequal, atLeast] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0x48), simd(0x4c)]
const zero = words(0, 0, 0, 0)

const onVectors = vectorFormula(({ base, inputs, constants: [scale], scratch: [change, own, largest, size] }) =>
  code(
    code(zero, set(largest), zero, set(size)),
    ...inputs.map((input) =>
      code(
        code(get(input), get(base), subtract, set(change), get(change), magnitude, set(own)),
        code(get(change), get(largest), get(own), get(size), atLeast, get(own), get(own), unequal, or, choose, set(largest)),
        code(get(largest), magnitude, set(size)),
      ),
    ),
    code(get(base), get(scale!), get(largest), multiply, add),
  ),
)
