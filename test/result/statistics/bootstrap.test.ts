import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import {
  averagePrecision,
  makeMean,
  rankCorrelation,
  findStatistic,
  type Statistic,
} from '../../../src/result/statistics/item-statistics.ts'
import { goldenOf } from '../../golden-of.ts'
import { pairedBootstrap } from './paired-bootstrap.ts'

/** numpy 2.4.6, scipy 1.17.1, scikit-learn 1.8.0 on the same resamples (oracles/bootstrap.py). */
const golden = goldenOf<{
  gold: number[]
  label: number[]
  a: number[]
  b: number[]
  draws: number
  kinds: Record<
    'spearman' | 'ap' | 'mean',
    { a: number; b: number; first: [number, number]; low: number; high: number; p: number }
  >
}>('result/statistics', 'bootstrap')
const { gold, label, a, b, draws } = golden
const statistics: Record<keyof typeof golden.kinds, (values: number[]) => Statistic> = {
  spearman: (values) => rankCorrelation(values, gold),
  ap: (values) => averagePrecision(values, label),
  mean: makeMean,
}
const once = new Uint8Array(a.length).fill(1)

describe.each(Object.entries(statistics) as [keyof typeof statistics, (values: number[]) => Statistic][])(
  '%s',
  (name, statistic) => {
    const expected = golden.kinds[name]
    // sums of 40 doubles in another order
    const digits = 12
    test('of all items, and of a resample', () => {
      expect(statistic(a)(once)).toBeCloseTo(expected.a, digits)
      expect(statistic(b)(once)).toBeCloseTo(expected.b, digits)
      const random = randomState(42)
      const counts = new Uint8Array(a.length)
      for (let k = 0; k < a.length; k++) {
        const at = Math.floor((random.word() / 2 ** 32) * a.length)
        counts[at] = (counts[at] ?? 0) + 1
      }
      expect(statistic(a)(counts)).toBeCloseTo(expected.first[0], digits)
      expect(statistic(b)(counts)).toBeCloseTo(expected.first[1], digits)
    })
    test('has the interval that numpy gives for the same resamples', () => {
      const interval = pairedBootstrap([{ items: a.length, ours: statistic(a), theirs: statistic(b) }], { draws })
      expect(interval?.low).toBeCloseTo(expected.low, 10)
      expect(interval?.high).toBeCloseTo(expected.high, 10)
      // a resample whose difference is zero up to the last bit may fall on either side
      expect(Math.abs((interval?.p ?? NaN) - expected.p)).toBeLessThanOrEqual(4 / draws)
    })
  },
)

test('a part’s statistic is the one that gives its score; items that do not make it up give none', () => {
  expect(findStatistic({ cosine: a, gold }, golden.kinds.spearman.a)?.name).toBe('rank correlation')
  expect(findStatistic({ cosine: a, label }, golden.kinds.ap.a + 4e-5)?.name).toBe('average precision')
  expect(findStatistic({ query: ['x', 'y'], ndcg_at_10: [0.5, 0.25] }, 0.375)?.name).toBe('mean of ndcg_at_10')
  const weighted = { 'byte_perplexity nats': [-30, -1], 'byte_perplexity weight': [10, 5] }
  expect(findStatistic(weighted, Math.exp(31 / 15))?.name).toBe('perplexity of byte_perplexity')
  expect(findStatistic(weighted, 31 / 15 / Math.LN2)?.name).toBe('bits of byte_perplexity')
  expect(findStatistic(weighted, Math.exp(31 / 15))?.statistic([0, 2])).toBeCloseTo(Math.exp(1 / 5), 12)
  expect(findStatistic({ cosine: a, gold }, 0.123)).toBeUndefined()
  expect(findStatistic({ correct: [null, 1] }, 1)).toBeUndefined()
})

test('equal models differ by nothing, and nothing to draw from has no interval', () => {
  expect(pairedBootstrap([{ items: a.length, ours: makeMean(a), theirs: makeMean(a) }], { draws: 1000 })).toEqual({
    low: 0,
    high: 0,
    p: 1,
    draws: 1000,
  })
  expect(pairedBootstrap([])).toBeUndefined()
})

test('one item has no interval, and few items are never worth more than their signs', () => {
  const ahead = (items: number): number | undefined => {
    const [ours, theirs] = [0.7, 0.5].map((score) => makeMean(Array.from({ length: items }, (_, i) => score + i / 100)))
    return pairedBootstrap([{ items, ours: ours ?? makeMean([]), theirs: theirs ?? makeMean([]) }], { draws: 1000 })?.p
  }
  expect([1, 2, 5].map(ahead)).toEqual([undefined, 1 / 2, 1 / 16])
  // nor more than the draws can show
  expect([100, 2000].map(ahead)).toEqual([2 / 1000, 2 / 1000])
  // sixteen parts of one item each never differ from one resample to the next
  const alone = { items: 1, ours: makeMean([0.7]), theirs: makeMean([0.5]) }
  expect(pairedBootstrap(Array.from({ length: 16 }, () => alone))).toBeUndefined()
})
