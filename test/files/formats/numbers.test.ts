import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256, type Dtype } from '#core'
import { narrow, readFloat32, widen, widen64 } from '#files/formats'
import { codeOf } from './made-files.ts'
import { memorySource } from './memory-source.ts'

const small = ['F16', 'BF16', 'F8_E4M3', 'F8_E5M2'] as const

/** Every code of a dtype, in order. */
function allCodes(dtype: (typeof small)[number]): Uint8Array {
  return dtype.startsWith('F8')
    ? Uint8Array.from({ length: 256 }, (_, i) => i)
    : bytesOf(Uint16Array.from({ length: 65_536 }, (_, i) => i))
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function numberBits(values: Float32Array): Uint32Array {
  return new Uint32Array(values.buffer)
}

describe('widening', () => {
  // SHA-256 of all codes as float32 with NaN as 0: numpy 2.4.6 (F16), ml_dtypes 0.6.0 (the others).
  test.each([
    ['F16', 2046, 'faa6d965574036872b0d39a42d1f8bee361d5be92b1e718155a69556a5abacdd'],
    ['BF16', 254, '2950e27364395060b01ae85b45dd15a2ab8891f6ee8b0af2b541dbda5524d0b4'],
    ['F8_E4M3', 2, '0c5d81084420441d5c98db2c276b865fc29738d60fba9c32b55aa8214762b794'],
    ['F8_E5M2', 6, 'f3e7031368f3245d56c8114ed15a46144bf609430c117e10fc3e0f5114d773b3'],
  ] as const)('gives the reference value for every code of %s', (dtype, nans, hash) => {
    const values = widen(allCodes(dtype), dtype)
    expect(values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0)).toBe(nans)
    expect(sha256(bytesOf(values.map((value) => (Number.isNaN(value) ? 0 : value))))).toBe(hash)
    expect(Buffer.compare(bytesOf(widen64(allCodes(dtype), dtype)), bytesOf(Float64Array.from(values)))).toBe(0)
  })

  test('rounds 64-bit integers once', () => {
    const integers = [
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      2n ** 62n + 2n ** 38n + 1n,
      2n ** 62n + 2n ** 38n,
      -(2n ** 62n + 2n ** 38n + 1n),
      9007199791611905n,
      16777217n,
      16777219n,
    ]
    // numpy 2.4.6: int64 astype(float32); the middle ones would go astray through a double.
    const wanted = [
      9007199254740992, 9.223372036854776e18, -9.223372036854776e18, 4.611686568183202e18, 4.611686018427388e18,
      -4.611686568183202e18, 9007200328482816, 16777216, 16777220,
    ]
    expect([...widen(bytesOf(BigInt64Array.from(integers)), 'I64')]).toEqual(wanted)
    expect([...widen64(bytesOf(BigInt64Array.from(integers)), 'I64')]).toEqual(integers.map(Number))
    expect([...widen(bytesOf(BigUint64Array.of(2n ** 64n - 1n, 2n ** 63n)), 'U64')]).toEqual([2 ** 64, 2 ** 63])
  })

  test.each([
    ['BOOL', [0, 1, 2], [0, 1, 1]],
    ['U8', [0, 255], [0, 255]],
    ['I8', [0x80, 0x7f], [-128, 127]],
    ['U16', [0xff, 0xff], [65_535]],
    ['I16', [0xff, 0xff], [-1]],
    ['U32', [0xff, 0xff, 0xff, 0xff], [4_294_967_296]],
    ['I32', [0xff, 0xff, 0xff, 0xff], [-1]],
    ['F64', [...bytesOf(Float64Array.of(0.1))], [Math.fround(0.1)]],
  ] as const)('reads %s', (dtype, bytes, wanted) => {
    expect([...widen(Uint8Array.from(bytes), dtype)]).toEqual(wanted)
  })

  test('float64 keeps what float32 cannot', () => {
    expect([...widen64(bytesOf(Float64Array.of(0.1)), 'F64')]).toEqual([0.1])
    expect([...widen64(bytesOf(Uint32Array.of(4_294_967_295)), 'U32')]).toEqual([4_294_967_295])
  })

  test('does not need aligned bytes', () => {
    const shifted = new Uint8Array(9).subarray(1)
    shifted.set(bytesOf(Float32Array.of(1.5, -2)))
    expect([...widen(shifted, 'F32')]).toEqual([1.5, -2])
  })

  test('refuses half an element', async () => {
    expect(await codeOf(() => widen(new Uint8Array(3), 'F16'))).toBe('tensor.shape')
  })
})

describe('narrowing', () => {
  test.each(small)('is the inverse of widening for every code of %s, NaN payloads included', (dtype) => {
    const codes = allCodes(dtype)
    expect(Buffer.compare(narrow(widen(codes, dtype), dtype), codes)).toBe(0)
  })

  test.each(small)(
    'sends what lies between two neighbours of %s to the nearer one, the middle to the even one',
    (dtype) => {
      const all = allCodes(dtype)
      const half = widen(all, dtype).length / 2
      const values = widen(all, dtype).subarray(0, half)
      const finite = values.findIndex((value) => !Number.isFinite(value))
      const probes = new Float32Array(3 * (finite - 1))
      for (let code = 0; code < finite - 1; code++) {
        // Exact: neighbours share an exponent or differ by one, and float32 has at least one bit more.
        const middle = ((values[code] ?? 0) + (values[code + 1] ?? 0)) / 2
        probes[3 * code + 1] = middle
        const bits = numberBits(probes)[3 * code + 1] ?? 0
        numberBits(probes).set([bits - 1, bits, bits + 1], 3 * code)
      }
      const codes = dtype.startsWith('F8') ? narrow(probes, dtype) : new Uint16Array(narrow(probes, dtype).buffer)
      const wrong = Array.from({ length: finite - 1 }, (_, code) => code).filter((code) => {
        const even = code % 2 === 0 ? code : code + 1
        return codes[3 * code] !== code || codes[3 * code + 1] !== even || codes[3 * code + 2] !== code + 1
      })
      expect(wrong).toEqual([])
    },
  )

  // A sweep of 2^20 bit patterns with NaN as 0, cast by numpy 2.4.6 (F16) and ml_dtypes 0.6.0.
  test.each([
    ['F16', '8a6a2ea13cec339e1caba9c62144b869e47377e4a6412b41d9f5811c5df50bc5'],
    ['BF16', 'ef1e73902667df1cb24aced340ac0db35e4e5cfe9f1ab0bfeabba7415fe56f64'],
    ['F8_E4M3', '9bae4247d96cdd7fefb6c2d420b2a246ff1572db30c62f68251b72805b545b25'],
    ['F8_E5M2', '0af11521dc44494bd615cdb6e3ea647a09029835449ecf6d8ee580827acfc735'],
  ] as const)('to %s agrees with the reference', (dtype, hash) => {
    const bits = new Uint32Array(2 ** 20)
    for (let i = 0; i < bits.length; i++) bits[i] = i * 4099 + 12_345
    const values = new Float32Array(bits.buffer).map((value) => (Number.isNaN(value) ? 0 : value))
    expect(sha256(narrow(values, dtype))).toBe(hash)
  })

  test('overflows to infinity, F8_E4M3 to NaN', () => {
    const large = Float32Array.of(3e38, -3e38, Infinity)
    expect([...widen(narrow(large, 'F16'), 'F16')]).toEqual([Infinity, -Infinity, Infinity])
    expect([...widen(narrow(large, 'F8_E5M2'), 'F8_E5M2')]).toEqual([Infinity, -Infinity, Infinity])
    expect([...widen(narrow(large, 'F8_E4M3'), 'F8_E4M3')]).toEqual([Number.NaN, Number.NaN, Number.NaN])
    expect([...widen(narrow(Float32Array.of(448, 464, 464.001), 'F8_E4M3'), 'F8_E4M3')]).toEqual([448, 448, Number.NaN])
  })

  test('rounds to the nearest integer, halves to the even one, and clamps', () => {
    const values = Float32Array.of(0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e30, -1e30, 254.6)
    expect([...widen(narrow(values, 'I32'), 'I32')]).toEqual([0, 2, 2, 0, -2, -2, 2_147_483_648, -2_147_483_648, 255])
    expect([...widen(narrow(values, 'U8'), 'U8')]).toEqual([0, 2, 2, 0, 0, 0, 255, 0, 255])
    expect([...new BigInt64Array(narrow(values, 'I64').buffer)].slice(5)).toEqual([
      -2n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      255n,
    ])
    expect([...narrow(values, 'BOOL')]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
  })

  test('refuses NaN where there is none', async () => {
    for (const dtype of ['I8', 'U64', 'BOOL'] as const)
      expect(await codeOf(() => narrow(Float32Array.of(1, Number.NaN), dtype))).toBe('tensor.value')
  })

  test('of float32 to float32 and float64 changes no bit', () => {
    fc.assert(
      fc.property(fc.float32Array(), (values) => {
        expect(Buffer.compare(narrow(values, 'F32'), bytesOf(values))).toBe(0)
        expect(widen(narrow(values, 'F64'), 'F64')).toEqual(values)
      }),
      { seed: 1 },
    )
  })

  test('of whole numbers within range is exact', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Dtype>('I8', 'I16', 'I32', 'I64', 'F32', 'F64'),
        fc.array(fc.integer({ min: -128, max: 127 })),
        (dtype, numbers) => {
          expect([...widen(narrow(Float32Array.from(numbers), dtype), dtype)]).toEqual(numbers)
        },
      ),
      { seed: 1 },
    )
  })
})

test('a tensor of a source reads as float32', async () => {
  const source = memorySource('memory', { a: { shape: [2], values: [1, 2] } })
  expect([...(await readFloat32(source, 'a'))]).toEqual([1, 2])
  expect(await codeOf(() => readFloat32(source, 'b'))).toBe('tensor.missing')
})
