import { expect, it } from 'vitest'
import { compareLocales } from '#experiment/locales'

/** One locale's answers of two types; text by text, as zeros and ones. */
const runs = (locale: string, answers: Readonly<Record<string, string>>) =>
  Object.entries(answers).map(([type, digits]) => {
    const own = Uint8Array.from(digits.split(''), Number)
    return {
      locale,
      type,
      folder: '',
      accuracy: own.reduce((sum, value) => sum + value, 0) / own.length,
      correct: null,
      total: null,
      errorRate: null,
      model: null,
      subfolder: null,
      timestamp: null,
      answers: own,
    }
  })
const repeat = (part: string, times: number): string => part.repeat(times)

it('counts the texts that one side alone answers rightly, by locale and over all', () => {
  const { pairs } = compareLocales([
    // 12 to 1
    ...runs('af-ZA', { similarity: `${repeat('1', 12)}01100`, average: `${repeat('0', 12)}11100` }),
    // 1 to 3
    ...runs('cy-GB', { similarity: '1000111', average: '0111111' }),
  ])
  const [{ items } = { items: undefined }] = pairs
  // binomial tails: (1 + 13) / 2¹² doubled is 0.0034; 17 draws, at most 4: 0.049
  expect(items).toMatchObject({ items: 24, wins: 13, losses: 4, ahead: 1, behind: 0 })
  expect(items?.p).toBeCloseTo(0.04904174804687495, 12)
})

it('has an interval of texts drawn within their locales', () => {
  const half = (n: number): string => repeat('10', n / 2)
  const { pairs } = compareLocales([
    ...runs('af-ZA', { similarity: half(400), average: repeat('0', 400) }),
    ...runs('cy-GB', { similarity: half(100), average: half(100) }),
  ])
  const interval = pairs[0]?.items?.interval
  // 0.25 ± 1.96 · ½ · √(0.25 / 400); 1,000 draws know its ends to about 0.002
  expect(interval?.low).toBeCloseTo(0.2255, 2)
  expect(interval?.high).toBeCloseTo(0.2745, 2)
})

it('is left out where a locale has no answers, or others', () => {
  const [first, second] = runs('af-ZA', { similarity: '1100', average: '1000' })
  if (first === undefined || second === undefined) throw new Error('two runs')
  expect(compareLocales([first, second]).pairs[0]?.items).toBeDefined()
  expect(compareLocales([first, { ...second, answers: undefined }]).pairs[0]?.items).toBeUndefined()
  expect(compareLocales([first, { ...second, answers: Uint8Array.of(1, 0) }]).pairs[0]?.items).toBeUndefined()
})
