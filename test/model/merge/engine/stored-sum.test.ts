import { describe, expect, test } from 'vitest'
import { dtypeBytes } from '#core'
import { philox } from '#platform/random'
import { narrow, widen } from '#files/formats'
import type { StoredMix } from '#model/merge-methods'
import { type SummedType, summedTypes, sumStored } from '../../../../src/model/merge/engine/stored-sum.ts'
import { sameBits, type Step } from '../../../platform/wasm/same-bits.ts'

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
    expect(sumStored({ of: 'values', coefficients: [first, second] }, 'BF16', operands.slice(0, 2), out)).toBe(true)
    expect(Buffer.compare(out, narrow(values, 'BF16'))).toBe(0)
    expect(sumStored({ of: 'changes', coefficients: [first, second] }, 'BF16', operands, out)).toBe(true)
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
        sumStored({ of: 'values', coefficients: [0.5, 0.5] }, 'BF16', [operands[1]!, bad], new Uint8Array(2 * length)),
      ).toBe(false)
    }
  })

  test('say so of a sum beyond float32', () => {
    const large = new Uint8Array(Uint16Array.from({ length: 9 }, () => 0x7f7f).buffer)
    expect(sumStored({ of: 'values', coefficients: [0.5, 0.5] }, 'BF16', [large, large], new Uint8Array(18))).toBe(true)
    expect(sumStored({ of: 'values', coefficients: [2, 2] }, 'BF16', [large, large], new Uint8Array(18))).toBe(false)
  })
})

/** Plain loops over the same operands, as the methods write them. */
const plain: Readonly<
  Record<StoredMix['of'], (mix: StoredMix, operands: readonly Float32Array[], i: number) => number>
> = {
  values: ({ coefficients: [a, b] }, [x, y], i) => a * x![i]! + b * y![i]!,
  changes: ({ coefficients: [a, b] }, [x, y, z], i) => x![i]! + a * (y![i]! - x![i]!) + b * (z![i]! - x![i]!),
  mean: ({ coefficients: [a, b] }, [x, y, z], i) => a * ((0 + y![i]! + z![i]!) / 2) + b * x![i]!,
}

const mixes: readonly StoredMix[] = [
  { of: 'values', coefficients: [0.7, -0.4] },
  { of: 'changes', coefficients: [0.3, 1.9] },
  { of: 'mean', coefficients: [1.3, -0.3] },
]

function sums(mix: StoredMix, dtype: SummedType): Step {
  return ({ size, floats }) => {
    const names = mix.of === 'values' ? ['x', 'y'] : ['x', 'y', 'z']
    const stored = names.map((name) => narrow(floats(name), dtype))
    const widened = stored.map((bytes) => widen(bytes, dtype))
    const loop = Float32Array.from({ length: size }, (_, i) => plain[mix.of](mix, widened, i))
    const out = new Uint8Array(dtypeBytes(dtype) * size)
    const isFinite = sumStored(mix, dtype, stored, out)
    const bits = (bytes: Uint8Array): Uint8Array => (isFinite ? bytes : new Uint8Array())
    return {
      kernel: { isFinite: String(isFinite), bits: bits(out) },
      loop: { isFinite: String(loop.every(Number.isFinite)), bits: bits(narrow(loop, dtype)) },
    }
  }
}

for (const dtype of summedTypes)
  sameBits(
    'model/merge/engine/stored-sum.ts',
    { lanes: 16 / dtypeBytes(dtype), chunk: 2 ** 14 / dtypeBytes(dtype) },
    Object.fromEntries(mixes.map((mix) => [`${mix.of}, ${dtype}`, sums(mix, dtype)])),
  )
