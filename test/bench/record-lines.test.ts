import { expect, test } from 'vitest'
import { lineOf, linesOf } from '../../bench/lib/record-lines.ts'

const compared = (name: string, slower: number) =>
  ({
    name,
    kind: 'compared',
    of: 'abc1234',
    isOtherProcessor: false,
    compared: 2,
    figures: 3,
    slower,
    memory: undefined,
    peersSlower: 1,
    worst: { place: 'runs wallSeconds', unit: 'time', ratio: slower, isPeers: false },
  }) as const

test('the table begins with the bench that slowed down most and ends with those without a figure', () => {
  const outcomes = [
    { name: 'bm25', kind: 'skipped', missing: ['python'] },
    compared('static', 1.02),
    compared('encode', 1.5),
  ] as const
  expect(linesOf(outcomes, { against: 'LAST' })).toEqual([
    ['bench', 'time now / then', 'memory', 'other programs', 'figures', 'record (LAST)', ''],
    ['encode', '1.50 ×', '–', '1.00 ×', '2 of 3', 'abc1234', 'SLOWER; worst 1.50 ×: runs wallSeconds'],
    ['static', '1.02 ×', '–', '1.00 ×', '2 of 3', 'abc1234', 'as fast'],
    ['bm25', '', '', '', '', '', 'skipped, without python'],
  ])
})

test('a record of another processor is marked', () => {
  expect(lineOf({ ...compared('encode', 1), isOtherProcessor: true })).toBe('encode: as fast; another processor')
})
