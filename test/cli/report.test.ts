import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Report } from '#result/report'
import { scratchFolder } from '../scratch.ts'
import { madeFolder } from '../result/report/made-folder.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const root = path('results')

beforeAll(async () => {
  await madeFolder(root)
})

test('strata report prints Markdown, or the value as JSON', async () => {
  const { code, stdout } = await strata(['report', root])
  expect(code).toBe(0)
  expect(stdout).toMatch(/## Representations by tasks[\s\S]*\| h2 \| \*\*75\.00\*\* \|/)
  const json = await strata(['report', root, '--json', '--baseline', 'h1', '--tasks', 'lab*,Pairs', '--representation', 'h1,h2'])
  const report = JSON.parse(json.stdout) as Report
  expect([report.held?.baseline, report.tasks.map(({ name }) => name), report.rows.map(({ name }) => name)]).toEqual(['h1', ['Labels', 'Pairs'], ['h1', 'h2']])
})

test('strata report writes what the name of its file says', async () => {
  const { code, stdout, stderr } = await strata(['report', root, '--out', path('page/report.html')])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('5 × 4 tasks →')
  expect(readFileSync(path('page/report.html'), 'utf8')).toMatch(/^<!doctype html>/)
})

test.each([
  { args: [], words: 'missing required argument' },
  { args: [root, '--out', 'report.pdf'], words: '.html' },
  { args: [root, '--baseline', 'h11'], words: 'did you mean h1?' },
  { args: [root, '--tasks', 'Labels,Labls'], words: 'did you mean Labels?' },
  { args: [root, '--format', 'pdf'], words: 'html' },
])('$args is refused: exit 2', async ({ args, words }) => {
  const { code, stderr } = await strata(['report', ...args])
  expect(stderr).toContain(words)
  expect(code).toBe(2)
})

test('a folder that is not there: exit 1', async () => {
  const { code, stderr } = await strata(['report', path('nowhere')])
  expect([code, stderr.includes('no such folder')]).toEqual([1, true])
})
