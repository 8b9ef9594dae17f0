import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { holm, signFlip } from '#result/statistics'
import { makeMean } from '../../../src/result/statistics/item-statistics.ts'
import type { Statistic } from '../../../src/result/statistics/bootstrap.ts'
import { pairedBootstrap } from './paired-bootstrap.ts'

test('holm: each p times the questions left, never below a smaller one', () => {
  // statsmodels 0.14 multipletests(method='holm') on the same values
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Math.round(1e12 * p) / 1e12)).toEqual([0.03, 0.06, 0.06, 0.02])
  expect(holm([0.6, 0.7])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})

test('holm: as statsmodels 0.15 on 24 recorded p-values', () => {
  const p = [
    0.9752, 0.0167, 0.7935, 0.1206, 0.5091, 0.3428, 0.2362, 0.6342, 0.0624, 0.8886, 0.0033, 0.9994, 0.0013, 0.9178,
    0.0463, 0.6798, 0.2009, 0.3864, 0.4625, 0.1481, 0.7527, 0.0256, 0.9574, 0.0001,
  ]
  const below = new Map([
    [1, 0.3507],
    [10, 0.0726],
    [12, 0.0299],
    [14, 0.8797],
    [21, 0.512],
    [23, 0.0024],
  ])
  holm(p).forEach((value, i) => expect(value).toBeCloseTo(below.get(i) ?? 1, 10))
})

/** Normal numbers from a seed, by Box and Muller. */
function normal(seed: number): () => number {
  const random = randomState(seed)
  const uniform = (): number => (random.word() + 0.5) / 2 ** 32
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

describe('of two systems that are equal, 5 of 100 comparisons say otherwise at p < 0.05', () => {
  // standard error of 2,000 simulations: 0.5 points; one point is asked for
  const simulations = 2000
  const share = (found: (next: () => number, i: number) => number): number => {
    const next = normal(7)
    return Array.from({ length: simulations }, (_, i) => found(next, i)).filter((p) => p < 0.05).length / simulations
  }

  test('paired bootstrap over 120 items', () => {
    const rate = share((next, seed) => {
      // what both find hard is hard for both
      const hard = Array.from({ length: 120 }, next)
      const side = (): Statistic => makeMean(hard.map((value) => value + next()))
      return pairedBootstrap([{ items: 120, ours: side(), theirs: side() }], { draws: 1000, seed })?.p ?? 1
    })
    expect(Math.abs(rate - 0.05)).toBeLessThanOrEqual(0.01)
  })

  test('sign flips over 11 tasks', () => {
    const rate = share((next) => signFlip(Array.from({ length: 11 }, next)))
    expect(Math.abs(rate - 0.05)).toBeLessThanOrEqual(0.01)
  })
})

describe('sign flips over tasks', () => {
  test('as SciPy 1.17 (permutation_test of samples, all of them) on twelve recorded differences', () => {
    expect(signFlip([0.25, 0.847, -0.545, 0.713, 0.428, -0.45, 1.005, -0.056, -0.098, 1.019, -0.427, 0.383])).toBe(
      0.1474609375,
    )
  })

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

  test('of more are the draws of one generator, call after call, whatever the number of tasks before', () => {
    const oneByOne = (values: readonly number[], seed: number): number => {
      const random = randomState(seed)
      const floor = Math.abs(values.reduce((sum, value) => sum + value, 0)) * (1 - 1e-12)
      let count = 1
      for (let draw = 0; draw < 500; draw++) {
        const flips = values.map(() => random.word() >= 2 ** 31)
        if (Math.abs(values.reduce((sum, value, i) => sum + (flips[i] === true ? -value : value), 0)) >= floor) count++
      }
      return count / 501
    }
    for (const [n, seed] of [
      [17, 1],
      [40, 1],
      [40, 2],
      [17, 1],
    ] as const) {
      const values = Array.from({ length: n }, (_, i) => Math.sin(7 * i) / 3 + 0.05)
      expect(signFlip(values, { draws: 500, seed })).toBe(oneByOne(values, seed))
    }
  })

  test('of more count the observed one among the draws, so that no p-value is 0', () => {
    // (b + 1) / (m + 1) of Phipson & Smyth 2010: of 2²⁰ assignments two reach the sum, and none of 99 draws does
    expect(
      signFlip(
        Array.from({ length: 20 }, () => 1),
        { draws: 99 },
      ),
    ).toBe(1 / 100)
  })
})
