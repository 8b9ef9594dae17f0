import { describe, expect, test } from 'vitest'
import {
  compensatedDeviation,
  compensatedMean,
  compensatedSum,
  mean,
  meanOfAll,
  numpyQuantile,
  populationDeviation,
  quantile,
  sampleDeviation,
} from '#core'

describe('sums', () => {
  // Python 3.12: sum([1e16, 1.0, -1e16]) is 1.0, and numpy's is 0.0
  test('are plain, or compensated under their own name', () => {
    const values = [1e16, 1, -1e16]
    expect([mean(values), compensatedMean(values), compensatedSum(values)]).toEqual([0, 1 / 3, 1])
  })

  test('of infinities stay infinite', () => {
    expect([compensatedSum([Infinity, 1]), compensatedMean([1, -Infinity]), mean([Infinity, 1])]).toEqual([
      Infinity,
      -Infinity,
      Infinity,
    ])
  })

  test('of none have no mean', () => {
    expect([mean([]), compensatedMean([]), meanOfAll([])]).toEqual([NaN, NaN, null])
  })
})

test('a mean of all is of all or of none', () => {
  expect([meanOfAll([1, 2]), meanOfAll([1, null])]).toEqual([1.5, null])
})

test('deviations divide by n, or by n − 1', () => {
  // numpy.std([2, 4, 4, 4, 5, 5, 7, 9]) is 2, statistics.stdev of the same 2.138089935299395
  const values = [2, 4, 4, 4, 5, 5, 7, 9]
  expect(populationDeviation(values)).toBe(2)
  expect(compensatedDeviation(values)).toBe(2)
  expect(sampleDeviation(values)).toBe(2.138089935299395)
  expect(sampleDeviation(values, 4)).toBeCloseTo(Math.sqrt(40 / 7), 14)
})

describe('quantiles', () => {
  test.each([
    [0, 1],
    [0.25, 1.75],
    [0.5, 2.5],
    [1, 4],
  ])('of 1, 2, 3, 4 at %f', (share, value) => {
    expect([quantile([1, 2, 3, 4], share), numpyQuantile([1, 2, 3, 4], share)]).toEqual([value, value])
  })

  // numpy.quantile([0.1, 0.4], 0.9), NumPy 2.4.6, is 0.37
  test('are NumPy’s to the bit where that is asked for', () => {
    expect([quantile([0.1, 0.4], 0.9), numpyQuantile([0.1, 0.4], 0.9)]).toEqual([0.3700000000000001, 0.37])
  })

  test('between equal infinities are infinite, and there is none of nothing', () => {
    expect([quantile([1, Infinity, Infinity], 0.8), quantile([], 0.5)]).toEqual([Infinity, NaN])
  })
})
