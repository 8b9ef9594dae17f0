import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checksum } from '../../../src/platform/disk/checksum.ts'
import { sameBits } from '../wasm/same-bits.ts'

function of(...parts: readonly Uint8Array[]): string {
  const sum = checksum()
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/** The definition, word by word. */
function plain(bytes: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil(bytes.length / 16) * 16)
  padded.set(bytes)
  const words = new DataView(padded.buffer)
  const [sum, sums] = [new Uint32Array(4), new Uint32Array(4)]
  for (let at = 0; at < padded.length; at += 4) {
    const lane = (at / 4) % 4
    sum[lane]! += words.getUint32(at, true)
    sums[lane]! += sum[lane]!
  }
  return `${Buffer.from(new Uint32Array([...sum, ...sums]).buffer).toString('hex')}-${bytes.length.toString(16)}`
}

const someBytes = fc.uint8Array({ maxLength: 400 })

describe('a checksum', () => {
  test('is that of the definition, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(someBytes, { maxLength: 8 }), (parts) => {
        expect(of(...parts)).toBe(plain(Buffer.concat(parts)))
      }),
    )
  })

  test('of two that are made in turn is not mixed up', () => {
    const [one, two] = [checksum(), checksum()]
    for (const [a, b] of [
      ['first', 'une'],
      [' and last', ' deux'],
    ] as const) {
      one.update(Buffer.from(a))
      two.update(Buffer.from(b))
    }
    expect([one.digest(), two.digest()]).toEqual([plain(Buffer.from('first and last')), plain(Buffer.from('une deux'))])
  })

  test('shows a changed, a moved and a missing part, beyond one block of memory too', () => {
    const bytes = new Uint8Array(3 * 2 ** 16 + 5).map((_, i) => (i * 2654435761) >>> 13)
    const whole = of(bytes)
    expect(whole).toBe(plain(bytes))
    const changed = Uint8Array.from(bytes)
    changed[2 ** 17]! ^= 1
    const zeros = Uint8Array.from(bytes).fill(0, 4096, 8192)
    const moved = Uint8Array.from(bytes)
    moved.set(bytes.subarray(4096, 8192), 8192)
    moved.set(bytes.subarray(8192, 12288), 4096)
    for (const other of [changed, zeros, moved, bytes.subarray(0, -1), Buffer.concat([bytes, new Uint8Array(1)])])
      expect(of(other)).not.toBe(whole)
  })
})

sameBits(
  'platform/disk/checksum.ts',
  { lanes: 16, chunk: 2 ** 16, without: ['grid', 'NaN', 'infinite'] },
  {
    checksum({ size, words }) {
      const bytes = new Uint8Array(Uint32Array.from(words('bytes')).buffer).subarray(1, 1 + size)
      return { kernel: { sum: of(bytes) }, loop: { sum: plain(bytes) } }
    },
  },
)
