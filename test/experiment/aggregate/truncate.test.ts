import { expect, test } from 'vitest'
import { enough } from '../../../src/experiment/aggregate/truncate.ts'

test.each([
  [[0.1, 0.79, 0.75, 0.8], 0.01, 1],
  [[0.1, 0.79, 0.75, 0.8], 0.005, 3],
  [[0.9, 0.5, 0.8], 0, 0],
  [[0.5], 0, 0],
  [[NaN, 0.8, 0.8], 0, 1],
])('of %j with a loss of %d, h%d is enough', (scores, loss, h) => {
  expect(enough(scores, loss)).toBe(h)
})

test('from the fewest blocks on that are allowed', () => {
  expect(enough([0.9, 0.5, 0.9], 0, 1)).toBe(2)
})
