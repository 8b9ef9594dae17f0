import { describe, expect, test } from 'vitest'
import { holm, signFlip } from '#result/statistics'

test('holm: each p times the questions left, never below a smaller one', () => {
  // statsmodels 0.14 multipletests(method='holm') on the same values
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Math.round(1e12 * p) / 1e12)).toEqual([0.03, 0.06, 0.06, 0.02])
  expect(holm([0.6, 0.7])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})

describe('sign flips over tasks', () => {
  test('of up to sixteen tasks are all tried', () => {
    // of 8 assignments, only + + + and − − − reach the sum
    expect(signFlip([1, 2, 3])).toBe(2 / 8)
    // ± (1, 1) and the two of sum 0: 2 of 4
    expect(signFlip([1, 1])).toBe(0.5)
    expect(signFlip([1, -1])).toBe(1)
    expect(signFlip([])).toBe(1)
  })

  test('of more are drawn, near the exact value', () => {
    const many = Array.from({ length: 20 }, (_, i) => Math.sin(i) + 0.4)
    const exact = Array.from({ length: 16 }, (_, i) => Math.sin(i) + 0.4)
    expect(signFlip(many, { seed: 1 })).toBe(signFlip(many, { seed: 1 }))
    expect(signFlip(many, { seed: 1 })).not.toBe(signFlip(many, { seed: 2 }))
    expect(signFlip([...exact, 0, 0, 0, 0])).toBeGreaterThan(0)
    // zeros flip nothing: the drawn p is the exact one within four standard errors of 10,000 draws
    expect(Math.abs(signFlip([...exact, 0, 0, 0, 0]) - signFlip(exact))).toBeLessThan(0.02)
  })
})
