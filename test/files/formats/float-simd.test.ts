import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { allFinite, narrow, widen } from '#files/formats'
import { sameBits } from '../../platform/wasm/same-bits.ts'

// IEEE 754: round to nearest, ties to even; a NaN stays one and keeps what it can of its payload.
function nearest(word: number): number {
  const [upper, lower] = [word >>> 16, word & 0xffff]
  if ((word & 0x7fffffff) > 0x7f800000) return upper & 0x7f ? upper : upper | 0x40
  const up = lower > 0x8000 || (lower === 0x8000 && upper % 2 === 1)
  return upper + (up ? 1 : 0)
}

const special = [
  0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xffbfffff, 0x7fc12345, 0x3f808000, 0x3f818000,
  0x3f807fff, 0x3f808001,
]

describe.each([0, 1, 63, 64, 65, 8191, 8192, 8193, 20_001])('%d elements', (length) => {
  const words = new Uint32Array(length)
  philox('words')(0, words)
  special.forEach((word, i) => i < length && (words[(i * 1237) % length] = word))
  const floats = new Float32Array(words.buffer)

  test('are narrowed to bfloat16, bit by bit', () => {
    expect(new Uint16Array(narrow(floats, 'BF16').buffer)).toEqual(Uint16Array.from(words, nearest))
  })

  test('are widened from bfloat16, bit by bit, into memory that was given', () => {
    const short = Uint16Array.from(words, (word) => word >>> 16)
    const into = new Float32Array(length + 3).fill(7)
    const wide = widen(new Uint8Array(short.buffer), 'BF16', into)
    expect(new Uint32Array(wide.buffer, 0, length)).toEqual(Uint32Array.from(short, (word) => word * 2 ** 16))
    expect(Array.from(into.subarray(length))).toEqual([7, 7, 7])
  })

  test('are finite but for the one that is not', () => {
    const values = Float32Array.from(words, (word) => (word - 2 ** 31) * 2 ** 90)
    expect(allFinite(values)).toBe(true)
    for (const at of [0, 5, length >> 1, length - 1].filter((place) => place >= 0 && place < length)) {
      for (const bad of [Number.NaN, Infinity, -Infinity]) expect(allFinite(values.with(at, bad))).toBe(false)
    }
  })
})

const narrowed = (values: Float32Array): Uint8Array => narrow(values, 'BF16')

sameBits(
  'files/formats/float-simd.ts',
  { lanes: 8, chunk: 2 ** 13 },
  {
    widen({ floats }) {
      const short = Uint16Array.from(new Uint32Array(floats('x').slice().buffer), (word) => word >>> 16)
      const wide = widen(new Uint8Array(short.buffer), 'BF16')
      return {
        kernel: { bits: new Uint32Array(wide.buffer, wide.byteOffset, wide.length) },
        loop: { bits: Array.from(short, (word) => word * 2 ** 16) },
      }
    },
    narrow({ floats }) {
      const values = floats('x')
      const words = new Uint32Array(values.slice().buffer)
      return {
        kernel: { bits: new Uint16Array(narrowed(values).slice().buffer) },
        loop: { bits: Array.from(words, nearest) },
      }
    },
    finite({ floats }) {
      return {
        kernel: { all: [Number(allFinite(floats('x')))] },
        loop: { all: [Number(floats('x').every(Number.isFinite))] },
      }
    },
  },
)
