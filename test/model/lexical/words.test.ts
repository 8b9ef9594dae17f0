import { describe, expect, test } from 'vitest'
import { findStemmer } from '../../../src/model/lexical/words.ts'
import { goldenOf } from '../../golden-of.ts'

describe('stems are those of PyStemmer', () => {
  const { with: _, ...languages } = goldenOf<Record<string, string>>('model/lexical', 'stemmers')

  test.each(Object.entries(languages))('%s', async (name, pairs) => {
    const stem = await findStemmer(name)
    const words = pairs.split(' ').filter((_word, i) => i % 2 === 0)
    expect(words.length).toBeGreaterThan(150)
    expect(words.flatMap((word) => [word, stem(word)]).join(' ')).toBe(pairs)
  })

  test('for every ending of English behind every kind of stem', async () => {
    const { changed, same } = goldenOf<{ changed: Record<string, string>; same: string[] }>('model/lexical', 'stems')
    const wanted = { ...changed, ...Object.fromEntries(same.map((word) => [word, word])) }
    const stem = await findStemmer('english')
    expect(Object.keys(wanted).length).toBeGreaterThan(2000)
    expect(Object.fromEntries(Object.keys(wanted).map((word) => [word, stem(word)]))).toEqual(wanted)
  })
})
