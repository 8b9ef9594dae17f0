import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportOf, tablesOf } from '#result/report'
import { openLooker } from '../../../src/serve/board/look.ts'
import { show, type Shown } from '../../../src/serve/board/report-sections.ts'
import { hostile, hostileFolder, madeFolder } from '../../result/report/made-folder.ts'
import { scratchFolder } from '../../scratch.ts'
import { endJob, makeHarness, makeRun, makeSearch } from './made-run.ts'

const { path } = scratchFolder()

async function shown(...folders: readonly string[]): Promise<Shown> {
  const looker = openLooker(folders)
  await looker.look({ now: 100_000 })
  return show(looker.seen(), { folders })
}
const text = async ({ sections }: Shown, id: string): Promise<string> =>
  ((await sections.find((one) => one.id === id)?.html({})) ?? '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('scores are the tables of the report, and lead to their results', async () => {
  const root = await madeFolder(path('scores'))
  const found = await shown(root)
  const report = await reportOf([root], { isTested: false })
  expect(found.report?.rows).toEqual(report.rows)
  const ids = tablesOf(report).map(({ id }) => id)
  expect(found.sections.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
  const html = (await found.sections.find(({ id }) => id === 'representations')?.html({})) ?? ''
  expect(html.match(/href="#result=[0-9a-f]{12}"/g)).toHaveLength(
    report.rows.reduce((sum, { scores }) => sum + scores.filter((score) => score !== null).length, 0) + 1,
  )
  expect(html).not.toContain(root)
})

test('progress, running and failed jobs with their reasons, and pulls of a search', async () => {
  const run = path('run')
  makeRun(run, 4)
  endJob(run, 0)
  endJob(run, 1, 'the data set is gated')
  writeFileSync(join(run, 'jobs', 'job2.lock'), '')
  makeSearch(join(run, 'searches', 'a'), [0.3, undefined, 0.5])
  const found = await shown(run)
  expect(await text(found, 'now')).toContain('1 of 4 jobs done, 1 failed, 1 running; 6.0 per minute, about 20 s left')
  expect(await text(found, 'running')).toContain('org/model mean Task2')
  expect(await text(found, 'failed-jobs')).toContain('org/model mean Task1 run the data set is gated')
  const pulls = await text(found, 'pulls-1')
  expect(pulls).toContain('3 main h2 policy 50.00 50.00')
  expect(pulls).toContain('2 main h1 policy – 30.00 1 3.0 the revision is gone')
  expect(found.sections.map(({ id }) => id)).toContain('searches')
})

test('scores of lm-evaluation-harness, and what cannot be read', async () => {
  const folder = path('harness')
  makeHarness(folder)
  makeRun(join(folder, 'run'), 1)
  writeFileSync(join(folder, 'run', 'jobs', 'job0.json'), 'no json')
  const found = await shown(folder)
  expect(await text(found, 'now')).toContain('toy')
  expect(await text(found, 'broken')).toContain('not a finished job')
})

test('a hash changes with its part alone', async () => {
  const root = await madeFolder(path('hashes'))
  const hashes = ({ sections }: Shown): Map<string, string> => new Map(sections.map(({ id, hash }) => [id, hash]))
  const before = hashes(await shown(root))
  expect(hashes(await shown(root))).toEqual(before)
  writeFileSync(join(root, 'org__model', 'main', 'Broken.json'), '{')
  const after = hashes(await shown(root))
  const changed = [...after].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id)
  expect(changed).toEqual(['now', 'contents', 'unreadable', 'results'])
})

test('an empty folder, one that is gone, and names that attack', async () => {
  expect((await shown(path('never'))).sections.map(({ id }) => id)).toEqual(['now', 'contents'])
  expect(await text(await shown(path('never')), 'now')).toContain('is gone')
  const found = await shown(await hostileFolder(path('hostile')))
  for (const { html } of found.sections) {
    const part = await html({ words: '', from: 0 })
    for (const attack of ['<script', '<img', '<b>']) expect(part).not.toContain(attack)
  }
  expect(found.report?.rows.map(({ model }) => model)).toContain(hostile.model)
})

test('a new result is listed at once, under the tables of a moment ago', async () => {
  const root = await madeFolder(path('listed'))
  const looker = openLooker([root])
  await looker.look({ now: 0 })
  const before = await show(looker.seen(), { folders: [root] })
  writeFileSync(join(root, 'org__model', 'main', 'Broken.json'), '{')
  await looker.look({ now: 1 })
  const quick = await show(looker.seen(), { folders: [root] }, before)
  const count = (one: Shown): Promise<string> => text(one, 'results')
  expect(await count(before)).not.toContain('Broken')
  expect(await count(quick)).toContain('Broken')
  expect(quick.report).toBe(before.report)
  const hashOf = (one: Shown, id: string): string | undefined => one.sections.find((part) => part.id === id)?.hash
  expect(hashOf(quick, 'representations')).toBe(hashOf(before, 'representations'))
  expect(hashOf(quick, 'results')).not.toBe(hashOf(before, 'results'))
  const whole = await show(looker.seen(), { folders: [root] })
  expect([hashOf(quick, 'unreadable'), hashOf(whole, 'unreadable')]).toEqual([undefined, expect.any(String)])
})
