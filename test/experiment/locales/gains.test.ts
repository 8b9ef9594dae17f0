import { expect, test } from 'vitest'
import { compareLocales } from '#experiment/locales'
import { toGains } from '../../../src/experiment/locales/gains.ts'
import { runOf } from './made-runs.ts'

const pairsOf = (...types: readonly string[]) => {
  const runs = types.map((type) => runOf('af-ZA', type, '10'))
  return toGains(runs, compareLocales(runs)).map(({ first, second }) => `${first} − ${second}`)
}

test('every merge is compared with the average, or without one with the first merge; a single merge with the baseline', () => {
  expect(pairsOf('baseline', 'ties', 'average', 'similarity', 'mean source')).toEqual([
    'similarity − average',
    'ties − average',
  ])
  expect(pairsOf('baseline', 'ties', 'fisher')).toEqual(['fisher − ties'])
  expect(pairsOf('baseline', 'average', 'best source')).toEqual(['average − baseline'])
  expect(pairsOf('average')).toEqual([])
  expect(pairsOf('baseline')).toEqual([])
})

test('an interval is one of differences text by text', () => {
  // the first is right on the texts of the second and on five more of 20: the 2.5 % quantile of 5 of 20 draws is 1 or 2
  const [second, first] = ['1'.repeat(10) + '0'.repeat(10), '1'.repeat(15) + '0'.repeat(5)]
  const runs = [
    runOf('af-ZA', 'average', second),
    runOf('af-ZA', 'similarity', first),
    runOf('cy-GB', 'average', second),
    runOf('cy-GB', 'similarity', second),
    runOf('de-DE', 'average', second),
    runOf('de-DE', 'similarity', first.slice(1)),
    runOf('el-GR', 'average', second),
  ]
  const [gains] = toGains(runs, compareLocales(runs))
  const [some, none, other, ...more] = gains?.locales ?? []
  expect([some?.locale, some?.gain]).toEqual(['af-ZA', 0.25])
  expect(some?.interval?.low).toBeGreaterThanOrEqual(0.05)
  expect(some?.interval?.low).toBeLessThanOrEqual(0.1)
  expect(some?.interval?.high).toBeGreaterThanOrEqual(0.4)
  expect(some?.interval?.high).toBeLessThanOrEqual(0.5)
  // the same answers: no resample differs
  expect(none).toEqual({ locale: 'cy-GB', gain: 0, interval: { low: 0, high: 0 } })
  // another number of texts cannot be paired
  expect([other?.locale, other?.interval, more]).toEqual(['de-DE', undefined, []])
})

test('of two runs of one type and locale the first one counts, as in the comparison', () => {
  const runs = [runOf('af-ZA', 'average', '00'), runOf('af-ZA', 'average', '11'), runOf('af-ZA', 'similarity', '11')]
  expect(toGains(runs, compareLocales(runs))[0]?.locales).toEqual([
    { locale: 'af-ZA', gain: 1, interval: { low: 1, high: 1 } },
  ])
})
