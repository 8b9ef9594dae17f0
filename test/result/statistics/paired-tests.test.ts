import { describe, expect, test } from 'vitest'
import { normalPValue } from '#platform/linalg'
import { randomState } from '#platform/random'
import { pairedT, signTest, wilcoxon } from '#result/statistics'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  seed: number
  n: number
  shift: number
  digits: number | null
  t: number
  tP: number
  statistic: number
  wilcoxonP: number
  wins: number
  losses: number
  signP: number
}

// SciPy 1.17.1: oracles/paired_tests.py
const { cases, normal } = goldenOf<{ cases: Case[]; normal: [number, number][] }>('result/statistics', 'paired-tests')

/** Relative: sums and special functions in another order. */
const close = (value: number, wanted: number, tolerance = 1e-10): boolean =>
  Math.abs(value - wanted) <= tolerance * Math.abs(wanted)

describe('paired tests as SciPy has them', () => {
  test.each(cases)('$n differences of seed $seed − $shift, rounded to $digits digits', (one) => {
    const drawn = Array.from(randomState(one.seed).randomSample(one.n), (value) => value - one.shift)
    const values = one.digits === null ? drawn : drawn.map((value) => Math.round(value * 10) / 10)
    const [t, ranks] = [pairedT(values), wilcoxon(values)]
    expect({
      // a mean near 0 has lost digits to cancellation
      t: close(t.t, one.t, 1e-8),
      tP: close(t.p, one.tP, 1e-8),
      statistic: ranks.statistic,
      wilcoxonP: close(ranks.p, one.wilcoxonP) || [ranks.p, one.wilcoxonP],
      signP: close(signTest(one.wins, one.losses), one.signP),
      counts: [values.filter((value) => value > 0).length, values.filter((value) => value < 0).length],
    }).toEqual({
      t: true,
      tP: true,
      statistic: one.statistic,
      wilcoxonP: true,
      signP: true,
      counts: [one.wins, one.losses],
    })
  })
})

test.each(normal)('a normal deviate of %f', (z, p) => {
  expect(close(normalPValue(z), p, 1e-12)).toBe(true)
  expect(normalPValue(-z)).toBe(normalPValue(z))
})

test('nothing to tell apart', () => {
  expect([signTest(0, 0), signTest(3, 3), wilcoxon([0, 0]).p, pairedT([1]).p, pairedT([2, 2]).p]).toEqual([
    1,
    1,
    NaN,
    NaN,
    NaN,
  ])
})
