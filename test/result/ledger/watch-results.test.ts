import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { listResults, resultPath, watchResults, writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleFailure, sampleResult } from './made-results.ts'

const { path } = scratchFolder()
const place = (root: string, representation: string) => ({ root, model: 'org/model', revision: 'main', representation })
const add = (root: string, representation: string, score: number, task = 'STS17'): Promise<string> =>
  writeResult(
    root,
    sampleResult({
      task_name: task,
      scores: { test: [{ main_score: score, accuracy: 1, hf_subset: 'en', languages: ['eng-Latn'] }] },
      strata: { model: 'org/model', revision: 'main', representation },
    }),
  )
const named = (listed: readonly Awaited<ReturnType<typeof listResults>>[number][]): string[] =>
  listed.map(({ model, revision, representation, task, path: file, result, fault }) =>
    [model, revision, representation, task, file, result?.scores?.['test']?.[0]?.main_score, fault?.code].join(' '),
  )

test('a look finds what a whole reading finds, in its order, with the scores alone', async () => {
  const root = path('whole')
  for (const [at, name] of ['default', 'h10', 'h2'].entries()) await add(root, name, 0.1 * at)
  await writeResult(root, { ...sampleFailure({ model: 'org/model', revision: 'main' }), task_name: 'Rare' })
  writeFileSync(resultPath(place(root, 'h2'), 'Broken'), '{"task_name": "Bro')
  const watch = watchResults(root)
  expect(await watch.look()).toBe(true)
  expect(named(watch.listed())).toEqual(named(await listResults(root)))
  expect([watch.count, watch.listed().find(({ fault }) => fault !== undefined)?.task]).toEqual([5, 'Broken'])
  const [first] = watch.listed()
  expect(first?.result?.scores).toEqual({
    test: [{ main_score: 0, hf_subset: 'en', languages: ['eng-Latn'] }],
  })
  expect(watch.listed().find(({ task }) => task === 'Rare')?.result?.strata).toMatchObject({
    status: 'failed',
    code: 'task.empty',
  })
})

test('new, changed and removed files are seen, and nothing else counts as a change', async () => {
  const root = path('growing')
  await add(root, 'h1', 0.1)
  const watch = watchResults(root)
  const scores = (): (number | null | undefined)[] =>
    watch.listed().map(({ result }) => result?.scores?.['test']?.[0]?.main_score)
  await watch.look()
  const [before] = watch.listed()
  expect(await watch.look()).toBe(false)
  await add(root, 'h1', 0.2, 'STS18')
  expect([await watch.look(), scores()]).toEqual([true, [0.1, 0.2]])
  // read once: the same value
  expect(watch.listed()[0]).toBe(before)
  await add(root, 'h1', 0.3)
  expect([await watch.look(), scores()]).toEqual([true, [0.3, 0.2]])
  rmSync(resultPath(place(root, 'h1'), 'STS17'))
  expect([await watch.look(), scores()]).toEqual([true, [0.2]])
  rmSync(root, { recursive: true })
  expect([await watch.look(), watch.count]).toEqual([true, 0])
  expect(await watch.look()).toBe(false)
})

test('a file that is written in place, in a folder of old, is found after some looks', async () => {
  const root = path('in-place')
  const file = await add(root, 'h1', 0.1)
  const old = new Date(1e12)
  utimesSync(dirname(file), old, old)
  const watch = watchResults(root)
  await watch.look()
  writeFileSync(file, '{}')
  utimesSync(dirname(file), old, old)
  const looks: boolean[] = []
  for (let i = 0; i < 30; i++) looks.push(await watch.look())
  expect(looks.filter(Boolean)).toHaveLength(1)
  expect(watch.listed()[0]?.fault?.code).toBe('result.invalid')
})

test('folders that hold something else are left out, and a look can be stopped', async () => {
  const root = path('others')
  await add(root, 'h1', 0.1)
  mkdirSync(`${root}/run/jobs`, { recursive: true })
  writeFileSync(`${root}/run/jobs/a.json`, '{}')
  const watch = watchResults(root)
  await watch.look({ without: ['run'] })
  expect(watch.count).toBe(1)
  await watch.look()
  expect(watch.count).toBe(2)
  await expect(watch.look({ signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})
