import { expect, test } from 'vitest'
import { listResults, writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from './made-results.ts'

const scratch = scratchFolder()

test('tasks that need not be whole have their main scores, and what tables say of them', async () => {
  const root = scratch.path('results')
  const part = { hf_subset: 'a', languages: ['eng-Latn'], main_score: 0.5, higher_is_better: false, subfield: 'x' }
  const long = { test: [{ ...part, accuracy: 0.5, notes: 'y'.repeat(100_000) }] }
  for (const task of ['STS17', 'STS16'])
    await writeResult(root, { ...sampleResult({ task_name: task }), scores: long, mteb_version: '2.1.0' })
  const [slim, whole] = await listResults(root, { isWhole: (task) => task === 'STS17' })
  const [all] = await listResults(root)
  expect([slim?.task, whole?.task]).toEqual(['STS16', 'STS17'])
  expect(slim?.result?.scores).toEqual({ test: [part] })
  expect(whole?.result?.scores).toEqual(long)
  expect(slim?.result).toMatchObject({ mteb_version: '2.1.0', strata: { version: all?.result?.strata?.version } })
  expect({ ...slim, result: undefined }).toEqual({ ...all, result: undefined })
})
