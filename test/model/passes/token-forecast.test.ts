import { describe, expect, test } from 'vitest'
import { forecastTokens } from '#model/passes'

/** Texts of so many letters each, and what a model that reads at most `most` tokens would take for them. */
const corpus = (letters: readonly number[], perLetter: number, most: number) => {
  const falling = letters.toSorted((a, b) => b - a)
  const tokens = falling.map((count) => Math.min(most, Math.ceil(count * perLetter) + 2))
  return {
    texts: letters.map((count) => 'x'.repeat(count)),
    tokens,
    all: tokens.reduce((sum, count) => sum + count, 0),
  }
}
const lengths = (seed: number): number[] =>
  Array.from({ length: 3000 }, (_, i) => 5 + ((i * 7919 + seed) % 97) ** 2 / 10 + (i % 300 === 0 ? 40_000 : 0)).map(
    Math.round,
  )

describe('tokens of texts not yet tokenised', () => {
  test.each([
    ['English, none of them cut', 0.24, Infinity, 0],
    ['English, the longest cut to 128', 0.24, 128, 0],
    ['one token per letter, the longest cut to 1,024, once a text has passed whole', 1, 1024, 10],
  ])('are foreseen within a third, and exact at the end: %s', (_name, perLetter, most, from) => {
    const { texts, tokens, all } = corpus(lengths(3), perLetter, most)
    const forecast = forecastTokens(texts)
    let seen = { done: 0, total: 0 }
    for (let at = 0; at < tokens.length; at += 10) {
      const batch = tokens.slice(at, at + 10)
      seen = forecast(
        batch.length,
        batch.reduce((sum, count) => sum + count, 0),
      )
      if (at < from) continue
      expect(seen.total / all).toBeGreaterThan(2 / 3)
      expect(seen.total / all).toBeLessThan(4 / 3)
    }
    expect(seen).toEqual({ done: all, total: all })
  })
})
