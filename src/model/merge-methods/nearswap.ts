/**
 * Takes elements that lie near the base's over, and moves far ones by at most t. mergekit `nearswap` (after
 * Alchemonaut's QuartetAnemoi-70B).
 */
import { code, f64x2, local } from '#platform/wasm'
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
      passes: [],
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

const onVectors = vectorFormula(({ base, inputs: [input], constants: [factor, smallest, one], scratch: [share] }) => {
  const distance = f64x2.max(f64x2.abs(f64x2.sub(input!, base)), smallest!)
  const within = f64x2.min(one!, f64x2.max(f64x2.all(0), f64x2.mul(factor!, f64x2.div(one!, distance))))
  return code(local.set(share, within), f64x2.add(f64x2.mul(share, input!), f64x2.mul(f64x2.sub(one!, share), base)))
})
