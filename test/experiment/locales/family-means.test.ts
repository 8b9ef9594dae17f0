import { expect, test } from 'vitest'
import { compareLocales, languages } from '#experiment/locales'
import { byFamily } from '../../../src/experiment/locales/families.ts'
import { familyMeans } from '../../../src/experiment/locales/family-means.ts'
import { runOf } from './made-runs.ts'

const known = await languages()

test('a family of seven locales or more is divided; what URIEL does not place comes last', () => {
  expect([...byFamily(['nb-NO', 'de-DE', 'af-ZA', 'ta-IN', 'sq-AL', 'xx-XX'], known)]).toEqual([
    ['Dravidian', ['ta-IN']],
    ['Indo-European', ['af-ZA', 'de-DE', 'sq-AL']],
    ['no family in URIEL', ['nb-NO', 'xx-XX']],
  ])
  const all = byFamily([...known.keys()], known)
  expect(all.get('Indo-European: Germanic')).toEqual(['af-ZA', 'da-DK', 'de-DE', 'en-US', 'is-IS', 'nl-NL', 'sv-SE'])
  expect(all.get('Indo-European: no branch')).toEqual(['sq-AL'])
  expect([all.has('Indo-European'), all.size, [...all.values()].flat().length]).toEqual([false, 22, 52])
})

test('means are over the locales that have every type, and the others are named', () => {
  const runs = [
    runOf('de-DE', 'average', '11'),
    runOf('de-DE', 'similarity', '10'),
    runOf('af-ZA', 'average', '10'),
    runOf('af-ZA', 'similarity', '00'),
    runOf('nl-NL', 'average', '00'),
    runOf('ta-IN', 'similarity', '11'),
  ]
  expect(familyMeans(compareLocales(runs), known)).toEqual([
    { family: 'Dravidian', locales: [], incomplete: ['ta-IN'], means: {} },
    {
      family: 'Indo-European',
      locales: ['af-ZA', 'de-DE'],
      incomplete: ['nl-NL'],
      means: { similarity: 0.25, average: 0.75 },
    },
  ])
})
