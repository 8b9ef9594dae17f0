/**
 * RAM: changes that one input made alone are taken whole, shared ones averaged over those that made them. Reinforced
 * agent merging; mergekit `ram`.
 */
import { code, f64x2, local, v128 } from '#platform/wasm'
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
      passes: [],
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

const onVectors = vectorFormula(({ base, inputs, constants: [epsilon, one], scratch: [change, counts, sum, count] }) =>
  code(
    local.set(sum, f64x2.all(0)),
    local.set(count, f64x2.all(0)),
    ...inputs.map((input) =>
      code(
        local.set(change, f64x2.sub(input, base)),
        local.set(counts, v128.not(f64x2.le(f64x2.abs(change), epsilon!))),
        local.set(sum, f64x2.add(sum, v128.and(change, counts))),
        local.set(count, f64x2.add(count, v128.and(one!, counts))),
      ),
    ),
    f64x2.add(base, f64x2.div(sum, f64x2.max(count, one!))),
  ),
)
