import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apart, benches, turnsOf } from '../../bench/lib/all-benches.ts'

const folder = join(import.meta.dirname, '..', '..', 'bench')

test('every bench that writes a record is run by `all`, or apart from it', () => {
  const recording = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && readFileSync(join(folder, file), 'utf8').includes('writeResult('))
    .map((file) => file.slice(0, -3))
  expect([...benches.map(({ name }) => name), ...apart].toSorted()).toEqual(recording.toSorted())
})

test('a bench without its other programs runs alone where it can, and is skipped otherwise', () => {
  const turns = turnsOf(['encode', 'search', 'engines'], { isThere: () => false })
  expect(turns).toMatchObject([
    { kind: 'run', bench: { name: 'engines' }, flags: [] },
    { kind: 'skip', bench: { name: 'search' }, missing: ['python'] },
    { kind: 'run', bench: { name: 'encode' }, flags: ['--only', 'strata'] },
  ])
})

test('data that are missing are not made up for by a run alone', () => {
  const turns = turnsOf(['evaluate'], { isThere: (need) => need !== 'shared' })
  expect(turns).toMatchObject([{ kind: 'skip', missing: ['shared'] }])
})

test('a name that no bench has is refused', () => {
  expect(() => turnsOf(['encoed'], { isThere: () => true })).toThrow('--only: no bench encoed')
})
