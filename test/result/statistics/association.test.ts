import { expect, test } from 'vitest'
import { association } from '#result/statistics'

const [x, y] = [
  [1, 2, 2, 4, 5, 3],
  [2, 1, 3, 3, 6, 5],
]

test('both measures, with the p of every order', () => {
  // scipy: kendalltau .64285714, spearmanr .77941176
  expect(association(x, y)).toMatchObject({ count: 6, value: expect.closeTo(0.64285714, 8) })
  expect(association(x, y, { method: 'spearman' }).value).toBeCloseTo(0.77941176, 8)
  // of four in order, 2 of 24 orders are as extreme
  expect(association([1, 2, 3, 4], [5, 6, 7, 8]).p).toBeCloseTo(2 / 24, 14)
})

test('more models than can be permuted are drawn, with a seed, and the p counts the observed order', () => {
  const many = Array.from({ length: 12 }, (_, i) => i)
  const found = association(many, many, { draws: 199 })
  // by two roots, as scipy divides: 1 but for the last bit
  const whole = expect.closeTo(1, 14)
  expect(found).toMatchObject({ value: whole, p: 1 / 200, low: whole, high: whole })
  const bent = many.map((value) => value + 5 * Math.sin(value * 9))
  const one = association(many, bent)
  expect([one.low < one.value, one.value < one.high]).toEqual([true, true])
  expect(association(many, bent)).toEqual(one)
})

test('what is constant has no p', () => {
  expect(association([1, 1, 1, 1], [1, 2, 3, 4])).toEqual({ count: 4, value: NaN, p: NaN, low: NaN, high: NaN })
})
