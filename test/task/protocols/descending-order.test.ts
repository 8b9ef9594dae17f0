import { expect, test } from 'vitest'
import { descendingOrder } from '../../../src/task/protocols/descending-order.ts'

const { fround } = Math
const hard = [0, -0, 1e-40, -1e-40, 1, -1, fround(0.1), fround(-0.1), 3e38, -3e38, Infinity, -Infinity]
/** Ties of every kind, in no order. */
const scores = Float32Array.from(
  { length: 400 },
  (_, i) => (hard[(i * 7) % hard.length] ?? NaN) * (i % 3 === 0 ? 1 : (i % 5) + 1),
)
const laterFirst = (a: number, b: number): number => b - a

test.for([2 ** 21, 400, 399, 0])('the order is that of a comparison, ties as told, packed up to %i', (most) => {
  const wanted = Uint32Array.from(scores, (_, place) => place).sort((a, b) => {
    const [first = NaN, second = NaN] = [scores[a], scores[b]]
    if (first === second) return laterFirst(a, b)
    return first < second ? 1 : -1
  })
  expect(descendingOrder(scores, laterFirst, { most })).toEqual(wanted)
  // a part of a larger array is read from its own beginning
  expect(descendingOrder(scores.subarray(8, 9), laterFirst, { most })).toEqual(Uint32Array.of(0))
  expect(descendingOrder(new Float32Array(0), laterFirst, { most })).toEqual(new Uint32Array(0))
})
