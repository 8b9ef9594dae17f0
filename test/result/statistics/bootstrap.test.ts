import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { averagePrecision, findStatistic, makeMean } from '../../../src/result/statistics/item-statistics.ts'
import { goldenOf } from '../../golden-of.ts'
import { makeInterval, jointDraws, meanIntervals, type Statistic } from '../../../src/result/statistics/bootstrap.ts'
import { rankCorrelation } from '../../../src/result/statistics/rank-statistic.ts'
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
  // a perplexity of e⁸ = 2,981 is stored to some digits: in proportion, not to 1e-4
  const large = { 'word_perplexity nats': [-100, -60], 'word_perplexity weight': [10, 10] }
  expect(findStatistic(large, Math.exp(8) * (1 + 5e-5))?.name).toBe('perplexity of word_perplexity')
  expect(findStatistic(large, Math.exp(8) * (1 + 5e-4))).toBeUndefined()
  // of an item its own rate: what is given per word
  expect(findStatistic(large, Math.exp(8))?.values()).toEqual([-10, -6])
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

describe('joint draws', () => {
  const always =
    (value: number): Statistic =>
    () =>
      value

  test('weigh parts alike, however many items they have', () => {
    const parts = [
      { items: 2, statistics: [always(0), always(1)] },
      { items: 200, statistics: [always(1), always(1)] },
    ]
    expect(jointDraws(parts, { draws: 1000 }).map((scores) => [...new Set(scores)])).toEqual([[0.5], [1]])
  })

  test('are as many as are asked for, and a thousand at least', () => {
    const counted = (items: number, draws?: number): number | undefined =>
      jointDraws([{ items, statistics: [always(1)] }], { draws })[0]?.length
    expect([counted(2, 10), counted(2, 1500), counted(4000)]).toEqual([1000, 1500, 10_000])
  })

  test('are none as soon as one part has a single item', () => {
    const part = (items: number) => ({ items, statistics: [always(1)] })
    expect(jointDraws([part(50), part(1)])).toEqual([])
    expect(jointDraws([part(50), part(2)])).toHaveLength(1)
  })
})

describe('the interval of a difference', () => {
  test('leaves out draws on which it is undefined, and is none where they are more than one of a hundred', () => {
    const ours = (undefinedOn: number): Float64Array =>
      Float64Array.from({ length: 1000 }, (_, draw) => (draw < undefinedOn ? NaN : 0.5))
    const theirs = new Float64Array(1000)
    expect(makeInterval(ours(10), theirs, 100)).toEqual({ low: 0.5, high: 0.5, p: 2 / 990, draws: 990 })
    expect(makeInterval(ours(11), theirs, 100)).toBeUndefined()
  })
})

test('an item without a value does not count in a mean', () => {
  const values = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : NaN))
  expect(meanIntervals([values])).toEqual([{ low: 1, high: 1 }])
})

test('rank correlations of four resamples at once are those of each alone, whatever was asked before', () => {
  const random = randomState(7)
  const draw = (size: number, below: number): number[] => Array.from({ length: size }, () => random.word() % below)
  const resamples = (size: number): Uint16Array[] => Array.from({ length: 4 }, () => Uint16Array.from(draw(size, 4)))
  const [short, long] = [resamples(30), resamples(200)]
  const [few, many, other] = [draw(30, 1e6), draw(200, 1e6), draw(200, 9)]
  // the same resamples under another side, other ones under the same, and another size
  const asked = [
    { y: many, of: long },
    { y: other, of: long },
    { y: few, of: short },
    { y: few, of: resamples(30) },
    { y: many, of: resamples(200) },
  ]
  for (const { y, of } of asked)
    for (const x of [draw(y.length, 5), draw(y.length, 1e9)]) {
      const statistic = rankCorrelation(x, y)
      const alone = rankCorrelation(x, [...y])
      expect(Array.from(statistic.several?.(of) ?? [])).toEqual(of.map((counts) => alone(counts)))
    }
})

test('means of four resamples at once are those of each alone, to the last bit', () => {
  const random = randomState(8)
  const values = Array.from({ length: 101 }, () => Math.sin(random.word()))
  const resamples = Array.from({ length: 5 }, () => Uint16Array.from(values, () => random.word() % 4))
  const mean = makeMean(values)
  for (const some of [resamples.slice(1), resamples.slice(0, 3), resamples])
    expect(mean.several?.(some)).toEqual(some.map((counts) => mean(counts)))
})
