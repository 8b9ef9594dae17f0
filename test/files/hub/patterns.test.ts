import { describe, expect, test } from 'vitest'
import { chosen, matching } from '../../../src/files/hub/patterns.ts'
import { goldenOf } from '../../golden-of.ts'

const golden = goldenOf<{
  source: string
  paths: string[]
  matches: Record<string, number[]>
}>('files/hub', 'fnmatch')

describe(`patterns match what ${golden.source} matches`, () => {
  test.each(Object.entries(golden.matches))('%j', (pattern, matches) => {
    expect(matching(golden.paths, [pattern])).toEqual(matches.map((index) => golden.paths[index]))
  })
})

test('included and not excluded', () => {
  expect(chosen(['a.json', 'b.bin', 'c.txt'], { include: ['*.json', '*.bin'], exclude: ['b*'] })).toEqual(['a.json'])
  expect(chosen(['a.json', 'b.bin'], {})).toEqual(['a.json', 'b.bin'])
  expect(matching(['a.json'], [])).toEqual([])
})

test('a pattern made to be slow is not: tried in every way it would not end', () => {
  expect(chosen([`${'a'.repeat(4_000)}b`], { include: [`${'*a'.repeat(30)}*c`] })).toEqual([])
})
