import { expect, test } from 'vitest'
import { normalPValue } from '#platform/linalg'
// of no door: half a unit in the last place of a diagonal would not show in it
import { geluBackward, normalShares } from '../../../src/model/gradient/gelu.ts'

const points = Float64Array.from({ length: 4001 }, (_, k) => (k - 2000) / 197)

test('Φ is that of its p-values, between the points of the table too', () => {
  const shares = normalShares(points)
  // the table's own rounding, 1.1e-16, and the term of the series left out, 7e-16
  points.forEach((x, k) => {
    const wanted = x < 0 ? normalPValue(x) / 2 : 1 - normalPValue(x) / 2
    expect(Math.abs(shares[k]! - wanted)).toBeLessThan(1e-15)
  })
  expect([...normalShares(Float64Array.of(-Infinity, -9, 0, 9, Infinity, NaN))]).toEqual([0, 0, 0.5, 1, 1, NaN])
})

test('the gradient of x · Φ(x) is its slope', () => {
  const gradient = new Float64Array(points.length).fill(2)
  geluBackward(gradient, points, normalShares(points))
  const step = 1e-5
  const value = (x: number): number => x * normalShares(Float64Array.of(x))[0]!
  // central differences: 1e-10 of the third derivative, and 1e-16 / 1e-5 of rounding, times 10 for the largest x
  points.forEach((x, k) =>
    expect(Math.abs(gradient[k]! / 2 - (value(x + step) - value(x - step)) / (2 * step))).toBeLessThan(1e-9),
  )
})
