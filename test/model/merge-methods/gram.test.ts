import { describe, expect, test } from 'vitest'
import { gram } from '../../../src/model/merge-methods/gram.ts'
import { sameBits } from '../../platform/wasm/same-bits.ts'

const count = 2 ** 12 + 2 ** 11 + 13
const drawn = (seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * seed + seed) * (i % 97 === 0 ? 1e3 : 1))
const [base, ...inputs] = [1.1, 1.2, 1.3, 1.4].map(drawn)

function sums(size: number, hasBase: boolean, wide = false): number[] {
  const { pass, dot } = gram(inputs.length)
  for (let offset = 0; offset < count; offset += size) {
    const end = Math.min(count, offset + size)
    const cut = (values: Float32Array): Float32Array | Float64Array =>
      wide ? Float64Array.from(values.subarray(offset, end)) : values.subarray(offset, end)
    pass({ offset, length: end - offset, base: hasBase ? cut(base!) : undefined, inputs: inputs.map(cut) })
  }
  return inputs.flatMap((_, i) => inputs.map((__, j) => dot(i, j)))
}

describe.each([true, false])('products, with a base: %s', (hasBase) => {
  const terms = inputs.flatMap((a) =>
    inputs.map((b) =>
      Array.from(a, (value, i) => (value - (hasBase ? base![i]! : 0)) * (b[i]! - (hasBase ? base![i]! : 0))),
    ),
  )

  test('are those of the elements one by one', () => {
    sums(count, hasBase).forEach((sum, k) => {
      const plain = terms[k]!.reduce((all, term) => all + term, 0)
      // what sums of float64 in two orders can differ by (Higham 2002, §4.2)
      const bound = 2 * count * 2 ** -53 * terms[k]!.reduce((all, term) => all + Math.abs(term), 0)
      expect(Math.abs(sum - plain)).toBeLessThan(bound)
    })
  })

  test.each([1, 3, 1000, 2 ** 11, 2 ** 11 + 1])('are the same in blocks of %i, to the last bit', (size) => {
    expect(sums(size, hasBase)).toEqual(sums(count, hasBase))
  })

  test('are the same for tensors in float64, to the last bit', () => {
    expect(sums(999, hasBase, true)).toEqual(sums(count, hasBase))
  })
})

const cases = [1, 2, 3].flatMap((models) => [true, false].map((hasBase) => [models, hasBase] as const))

sameBits(
  'model/merge-methods/gram-simd.ts',
  { lanes: 4, chunk: 2 ** 11 },
  Object.fromEntries(
    cases.map(([models, hasBase]) => [
      `${models} inputs${hasBase ? ' and a base' : ''}`,
      ({ size, floats }) => {
        const all = Array.from({ length: models }, (_, k) => k)
        const narrow = {
          offset: 3,
          length: size,
          base: hasBase ? floats('base') : undefined,
          inputs: all.map((k) => floats(`${k + 1}`)),
        }
        // tensors in float64 go through the plain loop
        const wide = {
          ...narrow,
          base: narrow.base && Float64Array.from(narrow.base),
          inputs: narrow.inputs.map((values) => Float64Array.from(values)),
        }
        const [kernel, loop] = [narrow, wide].map((block) => {
          const { pass, dot } = gram(models)
          pass(block)
          return { dots: all.flatMap((i) => all.map((j) => dot(i, j))) }
        })
        return { kernel: kernel!, loop: loop! }
      },
    ]),
  ),
)
