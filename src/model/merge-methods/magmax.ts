/** MagMax: the largest change per element; among equal ones the later input's. Marczak et al. 2024. */
import { code, f64x2, local, v128 } from '#platform/wasm'
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
      passes: [],
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

const onVectors = vectorFormula(({ base, inputs, constants: [scale], scratch: [change, own, largest, size] }) => {
  const taken = v128.or(f64x2.ge(own, size), f64x2.ne(own, own))
  return code(
    local.set(largest, f64x2.all(0)),
    local.set(size, f64x2.all(0)),
    ...inputs.map((input) =>
      code(
        local.set(change, f64x2.sub(input, base)),
        local.set(own, f64x2.abs(change)),
        local.set(largest, v128.bitselect(change, largest, taken)),
        local.set(size, f64x2.abs(largest)),
      ),
    ),
    f64x2.add(base, f64x2.mul(scale!, largest)),
  )
})
