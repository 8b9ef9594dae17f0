import { expect, test } from 'vitest'
import { rankCorrelation } from '#result/statistics'

const x = Array.from({ length: 40 }, (_, i) => i)

test('ρ is that of the ranks, whatever the scale', () => {
  expect(
    rankCorrelation(
      x,
      x.map((value) => Math.exp(value / 5)),
    ),
  ).toMatchObject({
    count: 40,
    rho: expect.closeTo(1, 12),
    low: expect.closeTo(1, 12),
    high: expect.closeTo(1, 12),
  })
  expect(
    rankCorrelation(
      x,
      x.map((value) => -(value ** 3)),
    ).rho,
  ).toBeCloseTo(-1, 12)
})

test('the interval holds ρ, is seeded, and is narrower of more', () => {
  // scipy.stats.spearmanr of these: 0.8133208255159475
  const y = x.map((value) => value + 12 * Math.sin(value * 7))
  const found = rankCorrelation(x, y)
  expect(found.rho).toBeCloseTo(0.8133208255159475, 12)
  expect([found.low < found.rho, found.high > found.rho, found.low > 0.55, found.high < 0.95]).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(rankCorrelation(x, y)).toEqual(found)
  expect(rankCorrelation(x, y, { seed: 1 }).low).not.toBe(found.low)
  const many = Array.from({ length: 640 }, (_, i) => i % 40)
  const wide = rankCorrelation(
    many,
    many.map((value, i) => (y[value] ?? 0) + i * 1e-6),
  )
  expect(wide.high - wide.low).toBeLessThan((found.high - found.low) / 2)
})

test('of a constant, and of too few, nothing is said', () => {
  expect(
    rankCorrelation(
      x,
      x.map(() => 1),
    ).rho,
  ).toBeNaN()
  expect(rankCorrelation([1, 2], [1, 2])).toEqual({
    count: 2,
    rho: expect.closeTo(1, 12),
    low: NaN,
    high: NaN,
    constant: 0,
  })
})
