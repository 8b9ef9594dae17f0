import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { listResults, writeResult } from '#result/ledger'
import { sampleFailure, sampleResult } from '../result/ledger/made-results.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'

const { path } = scratchFolder()
const root = path('results')

beforeAll(async () => {
  await writeResult(root, sampleResult({ strata: { representation: 'default' } }))
  await writeResult(root, sampleResult())
  await writeResult(root, { ...sampleFailure(), task_name: 'STS12' })
})

const exported = (...args: string[]): Promise<Ran> => strata(['results', 'export', '--results', root, ...args])

test('the hub’s forms are printed, of one representation', async () => {
  const { code, stdout } = await exported('--representation', 'default', '--as', 'model-index')
  expect(code).toBe(0)
  expect(stdout).toContain('    - type: cosine_spearman\n      value: 0.70692\n')
  const several = await exported('--as', 'eval-results')
  expect(several.code).not.toBe(0)
  expect(several.stderr).toContain('choose one with --representation')
})

test('a model with results at two revisions is exported at one of them', async () => {
  const two = path('two')
  for (const [revision, main_score] of [
    ['aaaa', 0.25],
    ['bbbb', 0.75],
  ] as const)
    await writeResult(
      two,
      sampleResult({
        scores: { test: [{ main_score, hf_subset: 'en-en', languages: ['eng-Latn'] }] },
        strata: { representation: 'default', revision },
      }),
    )
  const of = (...args: string[]): Promise<Ran> =>
    strata(['results', 'export', '--results', two, '--as', 'model-index', ...args])
  const both = await of()
  expect(both.code).not.toBe(0)
  expect(both.stderr).toMatch(/@aaaa default.*@bbbb default.*choose one with --revision/s)
  const { code, stdout } = await of('--revision', 'bbbb')
  expect([code, stdout.includes('0.75'), stdout.includes('0.25')]).toEqual([0, true, false])
  const wrong = await of('--revision', 'cccc')
  expect(wrong.code).not.toBe(0)
  expect(wrong.stderr).toContain('no result is of this revision – cccc\n  known: aaaa, bbbb')
})

test('a folder that is written is a folder of results again, without failures', async () => {
  const { code, stdout } = await exported('--as', 'mteb-repo', '--out', path('repo'), '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ files: { length: 4 } })
  const listed = await listResults(path('repo/results'))
  expect(listed.map(({ task, representation }) => `${task} ${representation}`)).toEqual(['STS17 default', 'STS17 h3'])
  expect(listed[1]?.result?.scores?.['test']?.[0]?.main_score).toBe(0.70692)
})

test('a store of MLflow names its own place, and event files lie in it', async () => {
  expect((await exported('--as', 'mlflow', '--out', path('mlruns'))).code).toBe(0)
  expect(readFileSync(join(path('mlruns'), '0/meta.yaml'), 'utf8')).toContain(
    `artifact_location: file://${path('mlruns')}/0`,
  )
  expect((await exported('STS17', '--as', 'tensorboard', '--out', path('runs'))).stdout).toContain('3 files')
})

test.each([
  ['no form', [], '--as eval-results'],
  ['a form that cannot be printed', ['--as', 'mlflow'], '--out DIR'],
  ['no result', ['STS12', '--as', 'mlflow', '--out', '/nowhere/x'], 'no finished result'],
])('refused: %s', async (_, args, words) => {
  const { code, stderr } = await exported(...args)
  expect(code).not.toBe(0)
  expect(stderr).toContain(words)
})
