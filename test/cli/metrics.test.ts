import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { carriedHub } from '../carried.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const texts = file(
  'words.txt',
  ['a', 'b', 'a b', 'b a a', 'b b', 'a a b', 'b a', 'a b b b', 'a b a b a'].join('\n') + '\n',
)
beforeAll(async () => void (await Promise.all(['one', 'two'].map((name) => writeSmallModel(path(name))))))

test('one document a model, printed and written', async () => {
  const flags = ['--texts', texts, '--metrics', 'effective_rank,curvature', '--cache-dir', path('cache')]
  const { stdout, code } = await strata([
    'metrics',
    path('one'),
    path('two'),
    ...flags,
    '--json',
    '--out',
    path('metrics.jsonl'),
  ])
  expect(code).toBe(0)
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { model: string; layers: Record<string, Record<string, unknown>> })
  expect(documents.map(({ model }) => model)).toEqual(['one', 'two'])
  expect(Object.keys(documents[0]?.layers ?? {})).toEqual(['0', '1'])
  expect(Object.keys(documents[0]?.layers['1'] ?? {})).toEqual(['effective_rank', 'curvature'])
  expect(readFileSync(path('metrics.jsonl'), 'utf8')).toBe(stdout)
  const { stdout: table } = await strata(['metrics', path('one'), ...flags])
  expect(table).toMatch(/^one on 9 texts of words\nmetric +h0 +h1\n/)
  expect(table).toContain('curvature.signed')
})

test('one document a task, in the order of the tasks; a similarity takes one', async () => {
  const flags = ['--metrics', 'effective_rank', '--rows', '4', '--cache-dir', path('cache'), '--json']
  const run = async (tasks: string): Promise<string[]> => {
    const { stdout } = await strata(['metrics', path('one'), '--task', tasks, ...flags], { env: carriedHub })
    return stdout.trimEnd().split('\n')
  }
  const [both, alone] = [await run('Banking77Classification:test,STS17'), await run('STS17')]
  expect(both).toHaveLength(2)
  expect(both.map((line) => (JSON.parse(line) as { dataset: string }).dataset)).toEqual([
    'Banking77Classification_test',
    'STS17',
  ])
  expect(both[1]).toBe(alone[0])
  const { code, stderr } = await strata(['similarity', path('one'), '--task', 'STS17,STS12'], { env: carriedHub })
  expect([code, stderr]).toEqual([2, expect.stringContaining('one corpus is compared at a time')])
})

test('all metrics but those of views, on one cache with two lengths', async () => {
  const of = async (...more: readonly string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr } = await strata([
      'metrics',
      path('one'),
      '--texts',
      texts,
      '--cache-dir',
      path('cache'),
      '--json',
      ...more,
    ])
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const [whole, cut] = [await of(), await of('--max-length', '3')]
  expect(whole['skipped']).toEqual(['lidar', 'dime', 'infonce', 'alignment'])
  expect(JSON.stringify(cut['layers'])).not.toBe(JSON.stringify(whole['layers']))
  expect(JSON.stringify((await of())['layers'])).toBe(JSON.stringify(whole['layers']))
})

test.each([
  [['--texts', texts, '--metrics', 'efective_rank'], 'effective_rank'],
  [[], '--texts'],
])('refuses %j', async (flags, word) => {
  const { code, stderr, stdout } = await strata(['metrics', path('one'), ...flags])
  expect([code === 0, stdout]).toEqual([false, ''])
  expect(stderr).toContain(word)
})
