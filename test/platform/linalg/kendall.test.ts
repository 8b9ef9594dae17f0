import { expect, test } from 'vitest'
import { kendall } from '#platform/linalg'

const x = [
  2, 9, 1, 4, 1, 7, 7, 7, 10, 6, 3, 1, 7, 0, 6, 6, 9, 0, 11, 7, 4, 11, 3, 9, 1, 5, 0, 0, 0, 10, 8, 0, 6, 10, 3, 6, 11,
  0, 8, 3, 7, 7, 8, 3, 5, 3, 10, 3, 7, 4, 0, 6, 8, 10, 1, 2, 10, 11, 4, 1,
]
const y = [
  7, 17, 7, 12, 4, 11, 11, 14, 18, 12, 3, 8, 10, 6, 12, 8, 14, 8, 16, 8, 11, 19, 4, 11, 9, 11, 5, 7, 0, 17, 8, 4, 12,
  12, 5, 14, 14, 0, 11, 11, 15, 10, 14, 11, 10, 8, 17, 7, 15, 4, 6, 14, 10, 18, 9, 5, 16, 11, 11, 6,
]

test('ties on either side are those of scipy.stats.kendalltau', () => {
  expect(kendall([1, 2, 2, 4, 5, 3], [2, 1, 3, 3, 6, 5])).toBeCloseTo(0.6428571428571429, 14)
  expect(kendall(x, y)).toBeCloseTo(0.6321158001885903, 14)
})

test('it is that of every pair looked at', () => {
  let [sum, left, right] = [0, 0, 0]
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [Math.sign((x[i] ?? 0) - (x[j] ?? 0)), Math.sign((y[i] ?? 0) - (y[j] ?? 0))]
      sum += a * b
      left += a * a
      right += b * b
    }
  expect(kendall(x, y)).toBeCloseTo(sum / Math.sqrt(left * right), 14)
})

test('a constant side, a NaN, and one thing say nothing', () => {
  expect(kendall([1, 1, 1], [1, 2, 3])).toBeNaN()
  expect(kendall([1, NaN, 1], [1, 2, 3])).toBeNaN()
  expect(kendall([1], [1])).toBeNaN()
})
