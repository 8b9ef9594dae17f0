import { describe, expect, test } from 'vitest'
import {
  byteText,
  decimals,
  gigabytes,
  grouped,
  percent,
  points,
  pPhrase,
  pText,
  roughBytes,
  signed,
  signedPoints,
  significant,
} from '#core'

describe('a number below zero has a minus, and where there is none stands a dash', () => {
  test.each([
    [points(0.70692), points(-0.70692), '70.69', '−70.69'],
    [points(0.70692, 1), points(-0.70692, 1), '70.7', '−70.7'],
    [decimals(0.0625, 3), decimals(-0.0625, 3), '0.063', '−0.063'],
    [significant(12.3456, 4), significant(-12.3456, 4), '12.35', '−12.35'],
    [significant(1.5e-9, 2), significant(-1.5e-9, 2), '1.5e-9', '−1.5e-9'],
    [signedPoints(0.012), signedPoints(-0.012), '+1.20', '−1.20'],
    [signedPoints(0.012, 1), signedPoints(-0.012, 1), '+1.2', '−1.2'],
  ])('%s, %s', (above, below, wantedAbove, wantedBelow) => {
    expect([above, below]).toEqual([wantedAbove, wantedBelow])
  })

  test.each([null, undefined, Number.NaN])('%s', (value) => {
    expect([
      points(value),
      signedPoints(value),
      decimals(value, 2),
      significant(value, 2),
      signed(value, String),
      pText(value),
    ]).toEqual(['–', '–', '–', '–', '–', '–'])
  })
})

test('a sign is written before the magnitude, in whatever form', () => {
  expect([-2, 0, 3].map((value) => signed(value, (magnitude) => significant(magnitude, 2)))).toEqual([
    '−2.0',
    '+0.0',
    '+3.0',
  ])
})

test('counts have their thousands apart, parts of a whole a sign', () => {
  expect([grouped(1_234_567), percent(0.125), percent(3, { of: 2000 }), percent(0.3, { digits: 0 })]).toEqual([
    '1,234,567',
    '12.5 %',
    '0.1 %',
    '30 %',
  ])
})

test('bytes are told in the unit that fits, an estimate rounded up', () => {
  expect([812, 4100, 12_345_678, 3_210_000_000].map(byteText)).toEqual(['812 B', '4.1 kB', '12.3 MB', '3.21 GB'])
  expect([1, 12_345_678, 3_210_000_000].map(roughBytes)).toEqual(['1 MB', '13 MB', '3.2 GB'])
  expect([1_000_000, 3_210_000_000].map(gigabytes)).toEqual(['0.00 GB', '3.21 GB'])
})

test.each([
  [0, '< 0.001', 'p < 0.001'],
  [0.0009, '< 0.001', 'p < 0.001'],
  [0.001, '0.001', 'p = 0.001'],
  [0.5314, '0.531', 'p = 0.531'],
  [1, '1.000', 'p = 1.000'],
])('p of %d in a table and in a sentence', (p, text, said) => {
  expect([pText(p), pPhrase(p)]).toEqual([text, said])
})
