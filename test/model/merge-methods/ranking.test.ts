import { expect, test } from 'vitest'
import { philox } from '#platform/random'
import { ranking } from '../../../src/model/merge-methods/ranking.ts'

function drawn(length: number, mask: number): Uint32Array {
  const words = new Uint32Array(length)
  philox(`${length}`)(0, words)
  return words.map((word) => word & mask)
}

/** Keys of all 32 bits, of few upper halves, of few lower ones, and one that all share. */
const masks = [0xffffffff, 0x0007ffff, 0xfff00000, 0x80000003, 0x0000ffff, 0]

test.each([1, 3, 4, 5, 2047, 2049, 6001])(
  'borders among %d keys are those of the sorted list, whatever the stretches',
  (length) => {
    for (const mask of masks) {
      const keys = drawn(length, mask)
      const falling = keys.toSorted().toReversed()
      const places = [1, Math.ceil(length / 3), Math.ceil(length / 2), length]
      const want = places.map((place) => {
        const key = falling[place - 1]!
        return { key, equals: place - falling.indexOf(key) }
      })
      for (const step of [length, 2048, 7]) {
        const order = ranking(() => places)
        for (const look of [order.high, order.low])
          for (let from = 0; from < length; from += step)
            look(keys.slice(from, from + step), Math.min(step, length - from))
        expect(order.cuts()).toEqual(want)
      }
    }
  },
)

test('keys beyond the length are not counted', () => {
  for (const key of [0, 7, 2 ** 31]) {
    const order = ranking(() => [2])
    for (const look of [order.high, order.low]) look(Uint32Array.of(key, 9, 5, key, key, key, key, key), 3)
    const [, second] = [key, 9, 5].toSorted((a, b) => b - a)
    expect(order.cuts()).toEqual([{ key: second, equals: 1 }])
  }
})
