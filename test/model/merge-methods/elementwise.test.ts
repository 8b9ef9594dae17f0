import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { mergeMethods } from '#model/merge-methods'
import { run, makeTask } from './run-kernel.ts'
import { sameBits } from '../../platform/wasm/same-bits.ts'

const { fround } = Math
const count = 2 ** 11 + 7

function numbers(name: string): number[] {
  const words = new Uint32Array(count)
  philox(name)(0, words)
  return Array.from(words, (word) => word / 2 ** 31 - 1)
}

const drawn = numbers('base')
const bases = {
  'as drawn': drawn.map((value) => fround(value)),
  'on a grid': drawn.map((value) => Math.round(value * 64) / 64),
}
/** Many changes are 0, equal to those of others, or – on the grid – just as large as what still counts as none. */
const changed = (base: readonly number[], k: number): number[] =>
  numbers(`${k}`).map((value, i) => (value > 0.99 ? NaN : fround(base[i]! + Math.round(value * 4) / 64)))

const cases = [
  ['magmax', 1, { scale: 0.7 }],
  ['magmax', 2, {}],
  ['magmax', 5, { scale: 0.7 }],
  ['ram', 1, {}],
  ['ram', 2, { epsilon: 1 / 64 }],
  ['ram', 16, {}],
  ['ramplus_tl', 1, {}],
  ['ramplus_tl', 2, { epsilon: 1 / 64, r: 0.3, alpha: 0.9 }],
  ['ramplus_tl', 3, { r: 0.3, alpha: 0.9 }],
  ['ramplus_tl', 9, { epsilon: 0.02, r: 0.3, alpha: 0.9 }],
  ['nearswap', 1, { t: 0.01 }],
  ['nearswap', 1, { t: 1e-7 }],
] as const

describe.each(cases)('%s of %i inputs, %o', (name, models, params) => {
  test.each(['as drawn', 'on a grid'] as const)('vectors and plain loops give the same bits: %s', async (kind) => {
    const base = bases[kind]
    const given = { shape: [count], base, inputs: Array.from({ length: models }, (_, k) => changed(base, k)), params }
    // float64 tensors go through the plain loops, and are rounded once as float32 ones are
    const plain = await run(mergeMethods[name], { ...given, dtype: 'f64' })
    for (const grains of [count, 999]) {
      const vectors = await run(mergeMethods[name], { ...given, dtype: 'f32', grains })
      expect(Array.from(vectors.values).findIndex((value, i) => !Object.is(value, fround(plain.values[i]!)))).toBe(-1)
    }
  })
})

sameBits(
  'model/merge-methods/elementwise-simd.ts',
  { lanes: 2, chunk: 2 ** 11 },
  Object.fromEntries(
    cases.map(([name, models, params], row) => [
      `${row}: ${name} of ${models}`,
      ({ size, floats }) => {
        const inputs = Array.from({ length: models }, (_, k) => floats(`${k}`))
        const block = { offset: 0, length: size, base: floats('base'), inputs }
        const task = makeTask(mergeMethods[name], { shape: [size], base: [], inputs: inputs.map(() => []), params })
        // float64 tensors go through the plain loops
        const wide = {
          ...block,
          base: Float64Array.from(block.base),
          inputs: inputs.map((values) => Float64Array.from(values)),
        }
        const [kernel, loop] = [block, wide].map((given) => {
          const method = mergeMethods[name].kernel(task)
          for (const pass of method.passes) pass(given)
          const into = given === block ? new Float32Array(size) : new Float64Array(size)
          method.output(given, into)
          return { out: Float32Array.from(into) }
        })
        return { kernel: kernel!, loop: loop! }
      },
    ]),
  ),
)
