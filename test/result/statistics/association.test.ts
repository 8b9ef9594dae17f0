import { expect, test } from 'vitest'
import { kendall } from '#platform/linalg'
import { association, rankCorrelation } from '#result/statistics'

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

test('up to seven models every order is tried', () => {
  const seven = [1, 2, 3, 4, 5, 6, 7]
  // of 5,040 orders one and its reverse are as extreme
  expect(association(seven, seven, { draws: 100 }).p).toBeCloseTo(2 / 5040, 14)
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
  expect(association([1, 1, 1, 1], [1, 2, 3, 4])).toEqual({
    count: 4,
    value: NaN,
    p: NaN,
    low: NaN,
    high: NaN,
    constant: 0,
  })
})

test('has no interval where many resamples are constant, and says how many', () => {
  // one model stands apart: (4/5)^5 = 33 % of the resamples lack it, and have no correlation
  const tied = association([0, 0, 0, 0, 1], [3, 1, 2, 4, 5], { draws: 1000 })
  expect(tied).toMatchObject({ low: NaN, high: NaN })
  expect(tied.constant).toBeCloseTo(0.8 ** 5 + 0.2 ** 5, 1)
  expect(rankCorrelation([0, 0, 0, 0, 1], [3, 1, 2, 4, 5])).toMatchObject({ low: NaN, high: NaN })
  // three models that differ lose 3/27 by themselves
  const three = association([1, 2, 3], [1, 3, 2], { draws: 1000 })
  expect([three.low <= three.value, three.value <= three.high, three.constant > 0.06, three.constant < 0.17]).toEqual([
    true,
    true,
    true,
    true,
  ])
})

test('the interval leaves out a fortieth of all resamples on either side', () => {
  // all 6⁶ resamples; at this place of their order, and a two-hundredth before and behind it, stands −1/11, at a twentieth 0.17
  const all: number[] = []
  for (let k = 0; k < 6 ** 6; k++) {
    const rows = Array.from({ length: 6 }, (_, i) => Math.floor(k / 6 ** i) % 6)
    const value = kendall(
      rows.map((row) => x[row] ?? NaN),
      rows.map((row) => y[row] ?? NaN),
    )
    if (!Number.isNaN(value)) all.push(value)
  }
  const low = all.sort((a, b) => a - b)[Math.floor(all.length / 40)] ?? NaN
  expect(low).toBeCloseTo(-1 / 11, 14)
  expect(association(x, y)).toMatchObject({ low: expect.closeTo(low, 14), high: 1 })
  // turned round, the other end
  const turned = association(
    x,
    y.map((value) => -value),
  )
  expect(turned).toMatchObject({ low: -1, high: expect.closeTo(-low, 14) })
})
