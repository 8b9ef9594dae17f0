/** RAM: changes that one input made alone are taken whole, shared ones averaged over those that made them. Reinforced agent merging; mergekit `ram`. */
import { code, get, set, simd, words } from '#platform/wasm'
import { type MergeMethod, numberOf, shared } from './method.ts'
import { vectorFormula } from './elementwise-simd.ts'

export const ram: MergeMethod = {
  name: 'ram',
  reference: 'https://github.com/arcee-ai/mergekit/pull/662',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { epsilon: shared(1e-5) },
  streaming: 'elementwise',
  tolerance: 2e-6,
  kernel({ shared: values, round, compat }) {
    const epsilon = numberOf(values, 'epsilon')
    return {
      grain: 1,
      surveys: [],
      output(block, out) {
        if (compat !== 'mergekit-0.1.4' && onVectors(block, [epsilon, 1], out)) return
        const { length, base, inputs } = block
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

const [not, and, magnitude, atMost] = [simd(0x4d), simd(0x4e), simd(0xec), simd(0x4b)]
const [add, subtract, divide, largest] = [simd(0xf0), simd(0xf1), simd(0xf3), simd(0xf5)]
const zero = words(0, 0, 0, 0)

const onVectors = vectorFormula(({ base, inputs, constants: [epsilon, one], scratch: [change, counts, sum, count] }) =>
  code(
    code(zero, set(sum), zero, set(count)),
    ...inputs.map((input) =>
      code(
        code(get(input), get(base), subtract, set(change), get(change), magnitude, get(epsilon!), atMost, not, set(counts)),
        code(get(sum), get(change), get(counts), and, add, set(sum), get(count), get(one!), get(counts), and, add, set(count)),
      ),
    ),
    code(get(base), get(sum), get(count), get(one!), largest, divide, add),
  ),
)
