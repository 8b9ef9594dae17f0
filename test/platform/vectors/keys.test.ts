import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys, keyCount, keyOrder, keyTable, takeKeys, textKeys } from '../../../src/platform/vectors/keys.ts'

/** Keys that often share their first words, as hashes never do. */
const key = fc.tuple(
  fc.constantFrom(0, 1, 0xffff_ffff),
  fc.constantFrom(0, 7),
  fc.constantFrom(0, 7),
  fc.nat({ max: 3 }),
)
const keys = fc.array(key, { maxLength: 80 }).map((rows) => Uint32Array.from(rows.flat()))
const nameAt = (all: Uint32Array, row: number): string => all.subarray(row * 4, row * 4 + 4).join()

describe('a key table', () => {
  test('finds the first position of every key that was added and of no other', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 6 }), keys, (segments, asked) => {
        const table = keyTable()
        const first = new Map<string, number>()
        let position = 0
        for (const segment of segments) {
          expect(table.add(segment)).toBe(position)
          for (let row = 0; row < keyCount(segment); row++, position++)
            if (!first.has(nameAt(segment, row))) first.set(nameAt(segment, row), position)
        }
        expect(table.size).toBe(first.size)
        for (const all of [...segments, asked])
          for (let row = 0; row < keyCount(all); row++)
            expect(table.find(all, row)).toBe(first.get(nameAt(all, row)) ?? -1)
      }),
      { seed: 4 },
    )
  })

  test('gives back segment and row of a position, empty segments included', () => {
    const table = keyTable()
    for (const rows of [2, 0, 3]) table.add(new Uint32Array(rows * 4).map((_, i) => i + rows * 100))
    expect([0, 1, 2, 4].map((position) => table.place(position))).toEqual([
      { segment: 0, row: 0 },
      { segment: 0, row: 1 },
      { segment: 2, row: 0 },
      { segment: 2, row: 2 },
    ])
  })

  test('of two million texts takes less than 100 MB, keys included', () => {
    const before = process.memoryUsage().arrayBuffers
    const table = keyTable()
    let state = 1
    for (let block = 0; block < 200; block++) {
      const rows = new Uint32Array(10_000 * 4)
      for (let i = 0; i < rows.length; i++) rows[i] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      table.add(rows)
    }
    expect(table.size).toBe(2_000_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6)
  })
})

test('the order of keys sorts them', () => {
  fc.assert(
    fc.property(keys, (all) => {
      const sorted = takeKeys(all, keyOrder(all))
      expect(keyCount(sorted)).toBe(keyCount(all))
      for (let row = 1; row < keyCount(sorted); row++)
        expect(compareKeys(sorted, row - 1, sorted, row)).toBeLessThanOrEqual(0)
    }),
    { seed: 5 },
  )
})

test('a text has the first half of its SHA-256 as key', () => {
  expect(Buffer.from(textKeys(['', 'abc']).buffer).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb924ba7816bf8f01cfea414140de5dae2223',
  )
})
