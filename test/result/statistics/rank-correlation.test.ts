import { expect, test } from 'vitest'
import { spearman } from '#platform/linalg'
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

test('the interval leaves out a fortieth of all resamples on either side', () => {
  // all 6⁶ resamples: at this place of their order stands 0, at a twentieth 0.26
  const [few, others] = [
    [1, 2, 2, 4, 5, 3],
    [2, 1, 3, 3, 6, 5],
  ]
  const all: number[] = []
  for (let k = 0; k < 6 ** 6; k++) {
    const rows = Array.from({ length: 6 }, (_, i) => Math.floor(k / 6 ** i) % 6)
    const value = spearman(
      rows.map((row) => few?.[row] ?? NaN),
      rows.map((row) => others?.[row] ?? NaN),
    )
    if (!Number.isNaN(value)) all.push(value)
  }
  const low = all.sort((a, b) => a - b)[Math.floor(all.length / 40)] ?? NaN
  expect(low).toBeCloseTo(0, 14)
  expect(rankCorrelation(few ?? [], others ?? [])).toMatchObject({
    low: expect.closeTo(low, 14),
    high: expect.closeTo(1, 14),
  })
  const turned = rankCorrelation(
    few ?? [],
    (others ?? []).map((value) => -value),
  )
  expect(turned).toMatchObject({ low: expect.closeTo(-1, 14), high: expect.closeTo(-low, 14) })
})
