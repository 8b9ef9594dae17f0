import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { agreement } from '../../../src/task/protocols/agreement.ts'
import { goldenOf } from '../../golden-of.ts'

interface Pair {
  n: number
  R: number
  C: number
  same: number
  v_measure: number
  ami: number
}

// scikit-learn 1.8.0: oracles/kmeans.py
const { versions } = goldenOf<{
  versions: Record<string, { pairs: Pair[] }>
}>('platform/linalg', 'kmeans')

describe('v-measure and adjusted mutual information as scikit-learn 1.8', () => {
  const draws = randomState(5)
  const pairs = (versions['1.8.0']?.pairs ?? []).map((pair) => {
    const drawn = [draws.randint(0, pair.R, pair.n), draws.randint(0, pair.C, pair.n)] as const
    const copy = draws.randomSample(pair.n)
    const own = Array.from({ length: pair.n }, (_, i) => i)
    const [a, b] = pair.R === pair.n ? [own, own] : drawn
    return {
      ...pair,
      truth: a,
      found: b.map((label, i) => ((copy[i] ?? 1) < pair.same ? (a[i] ?? 0) % pair.C : label)),
    }
  })
  test.each(pairs)('$n rows, $R classes, $C clusters', ({ truth, found, v_measure, ami }) => {
    const got = agreement(truth, found)
    expect(Math.abs(got.v_measure - v_measure)).toBeLessThan(1e-12)
    // logarithms of factorials lose places in the reference as here; the expectation is a part of the score
    expect(Math.abs(got.ami - ami)).toBeLessThan(1e-11)
  })

  test('does not care what the labels are called, nor which side is which', () => {
    const { truth, found } = pairs[1] ?? { truth: [], found: [] }
    const [here, there] = [agreement(truth, found), agreement(found, truth)]
    const renamed = agreement(
      truth,
      found.map((label) => 100 - 3 * label),
    )
    expect(Math.abs(here.v_measure - there.v_measure)).toBeLessThan(1e-12)
    expect(Math.abs(here.ami - renamed.ami)).toBeLessThan(1e-12)
  })

  test('the shared vector', () => {
    expect(agreement([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0]).v_measure).toBe(0)
    expect(agreement([0, 0, 0], [0, 1, 1]).v_measure).toBe(0)
    expect(agreement([0, 0], [0, 0])).toEqual({ v_measure: 1, ami: 1 })
  })
})
