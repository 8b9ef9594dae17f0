import { describe, expect, test } from 'vitest'
import { averageRanks } from '#platform/linalg'
import { randomState } from '#platform/random'
import { bucketOrder } from '../../../src/platform/linalg/bucket-order.ts'
import { radixOrder } from '../../../src/platform/linalg/radix-order.ts'

const random = randomState(11)
const drawn = (n: number, of: (u: number) => number): number[] =>
  Array.from({ length: n }, () => of(random.word() / 2 ** 32 - 0.5))

describe('order by buckets', () => {
  test.each([
    ['uniform', drawn(9000, (u) => u)],
    ['denser in the middle', drawn(9000, (u) => Math.sign(u) * Math.abs(u) ** 1.5)],
    ['ties', drawn(9000, (u) => Math.round(1500 * u) + 0)],
    ['neighbouring doubles', Array.from({ length: 9000 }, (_, i) => 1 + ((i * 7919) % 9000) * Number.EPSILON)],
    ['few', [3, 1, 2, 1]],
  ])('is that of counting digits: %s', (_name, values) => {
    const { order, marks } = bucketOrder(values) ?? { order: new Uint32Array(), marks: [] }
    expect(order).toEqual(radixOrder(values))
    // of equal values, which follow each other, the marks are the same
    const places = Array.from(order.keys()).slice(1)
    expect(places.filter((k) => values[order[k]!] === values[order[k - 1]!] && marks[k] !== marks[k - 1])).toEqual([])
  })

  test('numbers too near for a step of their own have ranks of their own, equal ones share theirs', () => {
    // a step is 1.2e-6 wide
    const near = [2500 + 3e-9, 2500 + 1e-9, 2500 + 2e-9, 2500 + 1e-9]
    const ranks = averageRanks([...near, ...Array.from({ length: 5000 }, (_, i) => i)])
    expect([...ranks.subarray(0, 4)]).toEqual([2505, 2502.5, 2504, 2502.5])
  })

  test.each([
    ['all the same', Array.from({ length: 5000 }, () => 2)],
    ['infinite', [1, 2, Infinity]],
    ['beyond the largest number apart', [-1.7e308, 1, 1.7e308, ...drawn(2000, (u) => u)]],
    ['crowded at one end', [...drawn(5000, (u) => u * 1e-9), 1]],
  ])('is not given of numbers that are %s', (_name, values) => {
    expect(bucketOrder(values)).toBeUndefined()
  })
})
