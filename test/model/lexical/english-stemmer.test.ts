import { expect, test } from 'vitest'
import { stemEnglish } from '../../../src/model/lexical/english-stemmer.ts'
import { goldenOf } from '../../golden-of.ts'

test('stems are those of Snowball, for every ending behind every kind of stem', () => {
  const { changed, same } = goldenOf<{ changed: Record<string, string>; same: string[] }>('model/lexical', 'stems')
  const wanted = { ...changed, ...Object.fromEntries(same.map((word) => [word, word])) }
  expect(Object.keys(wanted).length).toBeGreaterThan(2000)
  expect(Object.fromEntries(Object.keys(wanted).map((word) => [word, stemEnglish(word)]))).toEqual(wanted)
})
