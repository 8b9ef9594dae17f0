import { describe, expect, test } from 'vitest'
import { aggregated, baselineOf, rewardDefaults, rewardsOf } from '#experiment/search'

const tasks = ['a', 'b']
const baseline = baselineOf(
  new Map([
    ['h0', { a: 0.2, b: 0.5 }],
    ['h1', { a: 0.4, b: 0.501 }],
    ['h2', { a: 0.6, b: 0.502 }],
  ]),
  tasks,
)
/** Of 0.2, 0.4, 0.6 with ddof 0. */
const deviation = Math.sqrt(0.08 / 3)

describe('rewards', () => {
  test('z: from the mean of the baseline’s layers, in their deviations', () => {
    const { a } = rewardsOf({ a: 0.5 }, 'h9', baseline, rewardDefaults)
    expect(a).toBeCloseTo(0.1 / deviation, 12)
  })

  test('same-layer: from the same layer; another layer has none', () => {
    const { a } = rewardsOf({ a: 0.5 }, 'h2', baseline, { ...rewardDefaults, kind: 'same-layer' })
    expect(a).toBeCloseTo(-0.1 / deviation, 12)
    expect(() => rewardsOf({ a: 0.5 }, 'h9', baseline, { ...rewardDefaults, kind: 'same-layer' })).toThrow(
      /no such layer/,
    )
  })

  test('raw: the score', () => {
    expect(rewardsOf({ a: 0.5, b: -9 }, 'h2', baseline, { ...rewardDefaults, kind: 'raw' })).toEqual({ a: 0.5, b: -9 })
  })

  test('are clipped on both sides, and grow with a floor under the deviation less', () => {
    expect(rewardsOf({ b: 0.6 }, 'h0', baseline, rewardDefaults)).toEqual({ b: 3 })
    expect(rewardsOf({ b: 0.4 }, 'h0', baseline, rewardDefaults)).toEqual({ b: -3 })
    expect(rewardsOf({ b: 0.511 }, 'h0', baseline, { kind: 'z', clip: Infinity, floor: 0.005 })['b']).toBeCloseTo(2, 10)
    expect(tasks.map((task) => baseline.get(task)?.narrow)).toEqual([false, true])
  })

  test('of a baseline of one layer, or of equal ones, are the plain difference', () => {
    const one = baselineOf(new Map([['h0', { a: 0.2 }]]), ['a'])
    const equal = baselineOf(new Map(['h0', 'h1'].map((h) => [h, { a: 0.2 }])), ['a'])
    // a floor is for deviations that are small, not for one that cannot be
    expect(rewardsOf({ a: 0.5 }, 'h0', one, { kind: 'z', clip: 3, floor: 0.5 })['a']).toBeCloseTo(0.3, 12)
    expect(rewardsOf({ a: 0.5 }, 'h0', equal, { kind: 'z', clip: 3, floor: 0.5 })['a']).toBeCloseTo(0.6, 12)
    expect([one, equal].map((measure) => measure.get('a')?.narrow)).toEqual([false, true])
    for (const measure of [one, equal])
      expect(rewardsOf({ a: 0.5 }, 'h0', measure, rewardDefaults)['a']).toBeCloseTo(0.3, 12)
  })
})

describe('one number of an arm', () => {
  const rewards = { a: 1, b: 3, c: -1, d: 0.5, e: -3 }
  const all = Object.keys(rewards)

  test.each([
    ['mean', 0.1],
    ['median', 0.5],
    // without −3 and 3
    ['trimmed', 0.5 / 3],
    ['harmonic', 5 / (1 / 5 + 1 / 7 + 1 / 3 + 1 / 4.5 + 1) - 4],
  ] as const)('%s', (aggregation, wanted) => {
    expect(aggregated(rewards, all, aggregation)).toBeCloseTo(wanted, 12)
  })

  test('a fifth is rounded down on either side', () => {
    // scipy.stats.trim_mean: of six one is cut at each end, of four none
    expect(aggregated({ ...rewards, f: 10 }, [...all, 'f'], 'trimmed')).toBeCloseTo((1 + 3 - 1 + 0.5) / 4, 12)
    expect(aggregated(rewards, ['a', 'b', 'c', 'd'], 'trimmed')).toBeCloseTo(3.5 / 4, 12)
  })

  test('an even number of tasks has the mean of the middle two as median', () => {
    expect(aggregated(rewards, ['a', 'b', 'c', 'd'], 'median')).toBe(0.75)
  })

  test('one small win and many losses are no good arm by the harmonic mean', () => {
    const worse = aggregated({ a: 1.5, b: -3, c: -3 }, ['a', 'b', 'c'], 'harmonic')
    expect(worse).toBeLessThan(aggregated({ a: 0, b: 0, c: 0 }, ['a', 'b', 'c'], 'harmonic'))
    expect(() => aggregated({ a: -31.4 }, ['a'], 'harmonic')).toThrow(/must lie above −4/)
  })

  test('an arm without one of the tasks has none', () => {
    expect(() => aggregated({ a: 1 }, tasks, 'mean')).toThrow(/an arm has no score of the task/)
    expect(() => baselineOf(new Map([['h0', { a: 1 }]]), tasks)).toThrow(/the baseline's h0 has no score/)
  })
})
