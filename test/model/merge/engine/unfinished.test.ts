import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isUnfinishedMerge } from '#model/merge'

let work: string
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'strata-unfinished-'))
})
afterEach(() => rm(work, { recursive: true, force: true }))

test.each([
  ['a journal', 'journal.jsonl', '{"merge":"0123"}\n', true],
  ['the mark', '.unfinished', 'unfinished output of ./merged\n', true],
  ['a journal of something else', 'journal.jsonl', '{"day":1}\n', false],
  ['an empty file', 'journal.jsonl', '', false],
  ['no file of these', 'config.json', '{}', false],
])('a folder with %s', async (_, name, content, unfinished) => {
  await mkdir(join(work, 'merged'))
  await writeFile(join(work, 'merged', name), content)
  expect(await isUnfinishedMerge(join(work, 'merged'))).toBe(unfinished)
})

test('a folder that is not there, but will be', async () => {
  expect(await isUnfinishedMerge(join(work, 'merged'))).toBe(false)
  await mkdir(join(work, 'merged.partial'))
  await writeFile(join(work, 'merged.partial', 'journal.jsonl'), '{"merge":"0123"}\n')
  expect(await isUnfinishedMerge(`${join(work, 'merged')}/`)).toBe(true)
  await mkdir(join(work, 'merged'))
  expect(await isUnfinishedMerge(join(work, 'merged'))).toBe(false)
})
