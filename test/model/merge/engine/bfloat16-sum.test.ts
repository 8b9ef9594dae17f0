import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { narrow, widen } from '#files/formats'
import { sumBfloat16 } from '../../../../src/model/merge/engine/bfloat16-sum.ts'
import { sameBits } from '../../../platform/wasm/same-bits.ts'

/** Seeded bfloat16 of all signs, with exponents around 1 and every seventh tiny or subnormal. */
function drawn(seed: string, length: number): Uint8Array {
  const words = new Uint32Array(length)
  philox(seed)(0, words)
  return new Uint8Array(
    Uint16Array.from(words, (word, i) => (i % 7 === 0 ? word & 0x80ff : (word & 0x83ff) | 0x3c00)).buffer,
  )
}

const length = 2 ** 13 + 13
const operands = ['a', 'b', 'c'].map((seed) => drawn(seed, length))

describe('sums of stored bfloat16', () => {
  test.each([
    [0.6 / 0.9, 0.3 / 0.9],
    [1, 0],
    [-0.37, 1.9],
    [1e-40, 1],
  ])('by %d and %d have the bits of widening, summing and narrowing', (first, second) => {
    const [x, y, z] = operands.map((bytes) => widen(bytes, 'BF16'))
    const values = x!.map((value, i) => first * value + second * y![i]!)
    const changes = x!.map((value, i) => value + first * (y![i]! - value) + second * (z![i]! - value))
    const out = new Uint8Array(2 * length)
    expect(sumBfloat16({ of: 'values', coefficients: [first, second] }, operands.slice(0, 2), out)).toBe(true)
    expect(Buffer.compare(out, narrow(values, 'BF16'))).toBe(0)
    expect(sumBfloat16({ of: 'changes', coefficients: [first, second] }, operands, out)).toBe(true)
    expect(Buffer.compare(out, narrow(changes, 'BF16'))).toBe(0)
  })

  test.each([
    ['NaN', 0x7fc1],
    ['infinity', 0xff80],
  ])('say that %s is not finite, wherever it lies', (_, word) => {
    for (const at of [0, 3, 7, 2 ** 13 - 1, 2 ** 13, length - 1]) {
      const bad = Uint8Array.from(operands[0]!)
      new Uint16Array(bad.buffer)[at] = word
      expect(
        sumBfloat16({ of: 'values', coefficients: [0.5, 0.5] }, [operands[1]!, bad], new Uint8Array(2 * length)),
      ).toBe(false)
    }
  })

  test('say so of a sum beyond float32', () => {
    const large = new Uint8Array(Uint16Array.from({ length: 9 }, () => 0x7f7f).buffer)
    expect(sumBfloat16({ of: 'values', coefficients: [0.5, 0.5] }, [large, large], new Uint8Array(18))).toBe(true)
    expect(sumBfloat16({ of: 'values', coefficients: [2, 2] }, [large, large], new Uint8Array(18))).toBe(false)
  })
})

sameBits(
  'model/merge/engine/bfloat16-sum.ts',
  { lanes: 8, chunk: 2 ** 13 },
  Object.fromEntries(
    (
      [
        { of: 'values', coefficients: [0.7, -0.4] },
        { of: 'changes', coefficients: [0.3, 1.9] },
      ] as const
    ).map((mix) => [
      mix.of,
      ({ size, floats }) => {
        const stored = ['x', 'y', 'z'].slice(0, mix.of === 'values' ? 2 : 3).map((name) => narrow(floats(name), 'BF16'))
        const [x, y, z] = stored.map((bytes) => widen(bytes, 'BF16'))
        const [a, b] = mix.coefficients
        const sum = (i: number): number =>
          mix.of === 'values' ? a * x![i]! + b * y![i]! : x![i]! + a * (y![i]! - x![i]!) + b * (z![i]! - x![i]!)
        const sums = Float32Array.from({ length: size }, (_, i) => sum(i))
        const out = new Uint8Array(2 * size)
        const isFinite = sumBfloat16(mix, stored, out)
        const bits = (bytes: Uint8Array): Uint8Array => (isFinite ? bytes : new Uint8Array())
        return {
          kernel: { isFinite: String(isFinite), bits: bits(out) },
          loop: { isFinite: String(sums.every(Number.isFinite)), bits: bits(narrow(sums, 'BF16')) },
        }
      },
    ]),
  ),
)
