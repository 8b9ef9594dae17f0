import { beforeAll, expect, test } from 'vitest'
import type { Result } from '#core'
import { listResults, writeResult } from '#result/ledger'
import { meanScore } from '#result/statistics'
import { scratchFolder } from '../../scratch.ts'
import { goldenOf } from '../../golden-of.ts'

/**
 * What mteb 2.26.24's `ResultCache.load_results` made of the folder that these results are written as
 * (oracles/load_results.py).
 */
const { rows } = goldenOf<{
  rows: { model: string; revision: string; experiment: string; task: string; score: number; parts: number }[]
}>('result/ledger', 'mteb-loader')
const results = goldenOf<Result[]>('result/ledger', 'ledger')
const { path } = scratchFolder()
const root = path('ledger')

beforeAll(async () => {
  for (const result of results) await writeResult(root, result)
})

test('mteb finds every finished result, experiments among them, and no failure', async () => {
  const ours = await listResults(root, { status: 'ok' })
  expect(
    new Set(ours.map(({ model, revision, representation, task }) => `${model} ${revision} ${representation} ${task}`)),
  ).toEqual(new Set(rows.map(({ model, revision, experiment, task }) => `${model} ${revision} ${experiment} ${task}`)))
  expect(ours).toHaveLength(rows.length)
  expect(await listResults(root, { status: 'failed' })).toHaveLength(2)
})

test('and the same main scores', async () => {
  const scores = new Map(
    (await listResults(root, { status: 'ok' })).map(({ representation, task, result }) => [
      `${representation} ${task}`,
      meanScore(result?.scores),
    ]),
  )
  // both are means of numbers of six decimals; mteb's is recorded to six
  for (const { experiment, task, score } of rows)
    expect(Math.abs((scores.get(`${experiment} ${task}`) ?? NaN) - score)).toBeLessThanOrEqual(5e-7 + 1e-12)
})
