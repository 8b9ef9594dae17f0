import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPlaces, shortNames } from '../../../src/serve/board/find-places.ts'
import { madeFolder } from '../../result/report/made-folder.ts'
import { scratchFolder } from '../../scratch.ts'
import { makeHarness, makeRun, makeSearch } from './made-run.ts'

const { path } = scratchFolder()

test('results, runs, searches and the harness are found where they are', async () => {
  const all = path('all')
  await madeFolder(all)
  makeRun(join(all, 'first'), 2)
  makeSearch(join(all, 'first', 'searches', 'a'), [0.1])
  makeSearch(join(all, 'lone'), [0.1])
  makeHarness(join(all, 'asked'))
  mkdirSync(join(all, '.hidden', 'results'), { recursive: true })
  expect(await findPlaces([all, path('never')])).toEqual({
    roots: [
      { root: join(all, 'first', 'results'), without: [] },
      { root: all, without: ['first', 'lone'] },
    ],
    runs: [join(all, 'first')],
    searches: [join(all, 'first', 'searches', 'a'), join(all, 'lone')],
    harness: [join(all, 'asked', 'org__speaker')],
    gone: [path('never')],
  })
})

test('a run by itself shows its own results, once', async () => {
  const run = path('run')
  makeRun(run, 2)
  const { roots, runs } = await findPlaces([run, join(run, 'results')])
  expect([roots.map(({ root }) => root), runs]).toEqual([[join(run, 'results')], [run]])
})

test('folders of one name have their whole path', () => {
  expect([...shortNames(['a/x', 'b/x', 'c/y'])]).toEqual([
    ['a/x', 'a/x'],
    ['b/x', 'b/x'],
    ['c/y', 'y'],
  ])
})
