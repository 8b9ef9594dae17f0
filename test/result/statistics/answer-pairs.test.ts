import { expect, it } from 'vitest'
import { compareAnswers } from '#result/statistics'

/** Answers as zeros and ones. */
const pair = (first: string, second: string) => ({
  first: Uint8Array.from(first.split(''), Number),
  second: Uint8Array.from(second.split(''), Number),
})

it('counts the items that one side alone answers rightly, by part and over all', () => {
  const found = compareAnswers([
    // 12 to 1
    pair(`${'1'.repeat(12)}01100`, `${'0'.repeat(12)}11100`),
    // 1 to 3
    pair('1000111', '0111111'),
  ])
  // binomial tails: 2 · (1 + 13) / 2¹³ = 0.0034 passes Holm, 4 draws of which 1: 0.625; 17 draws, at most 4: 0.049
  expect(found).toMatchObject({ items: 24, wins: 13, losses: 4, ahead: 1, behind: 0 })
  expect(found?.p).toBeCloseTo(0.04904174804687495, 12)
  expect(compareAnswers([pair(`${'0'.repeat(12)}1`, `${'1'.repeat(12)}0`)])).toMatchObject({ ahead: 0, behind: 1 })
})

it('has an interval of items drawn within their parts', () => {
  const half = (n: number): string => '10'.repeat(n / 2)
  const interval = compareAnswers([pair(half(400), '0'.repeat(400)), pair(half(100), half(100))])?.interval
  // 0.25 ± 1.96 · ½ · √(0.25 / 400); 1,000 draws know its ends to about 0.002
  expect(interval?.low).toBeCloseTo(0.2255, 2)
  expect(interval?.high).toBeCloseTo(0.2745, 2)
})

it('compares nothing with nothing, and no other items', () => {
  expect(compareAnswers([])).toBeUndefined()
  expect(compareAnswers([pair('1100', '10')])).toBeUndefined()
})
