import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { philoxBlock } from '../../../src/platform/random/philox.ts'
import { sameBits } from '../wasm/same-bits.ts'

const hex = (words: Uint32Array): string[] => Array.from(words, (word) => word.toString(16).padStart(8, '0'))

describe('Philox4x32-10', () => {
  // Random123 1.14, tests/kat_vectors, lines "philox4x32 10"
  test.each([
    [[0, 0, 0, 0], [0, 0], '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    [[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff], '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    [[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0], 'd16cfe09 94fdcceb 5001e420 24126ea1'],
  ] as const)('counter %s, key %s', ([c0, c1, c2, c3], [k0, k1], want) => {
    const out = new Uint32Array(4)
    philoxBlock(c0, c1, c2, c3, k0, k1, out)
    expect(hex(out).join(' ')).toBe(want)
  })

  test('the key is the start of the SHA-256 of the text, the counter the index of the block', () => {
    const digest = createHash('sha256').update('42\0model.norm.weight\x001').digest()
    const want = new Uint32Array(4)
    philoxBlock(2, 1, 0, 0, digest.readUInt32BE(0), digest.readUInt32BE(4), want)
    const out = new Uint32Array(4)
    philox('42\0model.norm.weight\x001')(4 * (2 ** 32 + 2), out)
    expect(hex(out)).toEqual(hex(want))
  })

  test.each([0, 3, 4 * 2 ** 32 - 40, 2 ** 50])('long runs from %d have the words of single blocks', (first) => {
    const digest = createHash('sha256').update('b').digest()
    const out = new Uint32Array(20_000)
    philox('b')(first, out)
    const block = new Uint32Array(4)
    for (let i = 0; i < out.length; i += 1 + (i % 97)) {
      const index = Math.floor((first + i) / 4)
      philoxBlock(index, Math.floor(index / 2 ** 32), 0, 0, digest.readUInt32BE(0), digest.readUInt32BE(4), block)
      expect(out[i]).toBe(block[(first + i) % 4])
    }
  })

  test('any part is the same part of the whole', () => {
    const whole = new Uint32Array(64)
    philox('a')(0, whole)
    fc.assert(
      fc.property(fc.nat(64), fc.nat(64), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const part = new Uint32Array(to - from)
        philox('a')(from, part)
        expect(hex(part)).toEqual(hex(whole.subarray(from, to)))
      }),
    )
  })

  test('words are uniform enough to keep a share of elements', () => {
    const words = new Uint32Array(1e6)
    philox('seed')(0, words)
    const kept = words.reduce((count, word) => count + (word < Math.floor(0.3 * 2 ** 32) ? 1 : 0), 0)
    expect(Math.abs(kept / 1e6 - 0.3)).toBeLessThan(0.0023) // five standard deviations of a million draws
  })
})

sameBits(
  'platform/random/philox-simd.ts',
  { lanes: 16, chunk: 2 ** 14, without: ['grid', 'NaN', 'infinite'] },
  {
    fill({ size }) {
      const digest = createHash('sha256').update('b').digest()
      const [key0, key1] = [digest.readUInt32BE(0), digest.readUInt32BE(4)]
      const starts = [0, 5, 4 * 2 ** 32 - 20]
      const block = new Uint32Array(4)
      const wordAt = (at: number): number => {
        const index = Math.floor(at / 4)
        philoxBlock(index, Math.floor(index / 2 ** 32), 0, 0, key0, key1, block)
        return block[at % 4] ?? NaN
      }
      const drawn = starts.map((first) => {
        const out = new Uint32Array(size)
        philox('b')(first, out)
        return out
      })
      return {
        kernel: drawn,
        loop: starts.map((first) => Uint32Array.from({ length: size }, (_, i) => wordAt(first + i))),
      }
    },
  },
)
