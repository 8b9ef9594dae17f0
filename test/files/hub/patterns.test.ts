import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chosen, matching } from '../../../src/files/hub/patterns.ts'

const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden/fnmatch.json'), 'utf8')) as {
  source: string
  paths: string[]
  matches: Record<string, number[]>
}

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
