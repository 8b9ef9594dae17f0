import { describe, expect, test } from 'vitest'
import { averageRanks } from '#platform/linalg'
import { randomState } from '#platform/random'
import { radixOrder } from '../../../src/platform/linalg/radix-order.ts'

const random = randomState(7)
const drawn = (n: number, of: (u: number) => number): number[] =>
  Array.from({ length: n }, () => of(random.word() / 2 ** 32 - 0.5))

describe('order by counting', () => {
  test.each([
    ['uniform', drawn(9000, (u) => u)],
    ['every magnitude', drawn(9000, (u) => Math.sign(u) * Math.exp(1400 * Math.abs(u) - 700))],
    ['ties', drawn(9000, (u) => Math.round(20 * u))],
    ['neighbouring doubles', Array.from({ length: 9000 }, (_, i) => 1 + ((i * 7919) % 9000) * Number.EPSILON)],
    [
      'zeros of both signs, infinities, the smallest',
      [0, -0, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE, 0, -0, 3],
    ],
    ['one', [5]],
    ['none', []],
  ])('is that of comparing: %s', (_name, values) => {
    const compared = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
    const counted = Array.from(radixOrder(values), (i) => values[i])
    expect(counted.map((value) => (value === 0 ? 0 : value))).toEqual(
      compared.map((i) => (values[i] === 0 ? 0 : values[i])),
    )
    expect(new Set(radixOrder(values)).size).toBe(values.length)
  })

  test('gives the same ranks to many values as to few', () => {
    const few = drawn(3000, (u) => Math.round(300 * u))
    // twice over: each value's rank is that of the single list, doubled, less one half
    const both = averageRanks([...few, ...few])
    expect([...both.subarray(0, 3000)]).toEqual(Array.from(averageRanks(few), (rank) => 2 * rank - 0.5))
  })
})
