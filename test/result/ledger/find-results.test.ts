import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findResult, listResults, resultPath } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'

const scratch = scratchFolder()

test('a pipe in place of a result is a fault, and nobody waits for its writer', async () => {
  const place = { root: scratch.path('results'), model: 'org/model', revision: 'r', representation: 'default' }
  const path = resultPath(place, 'STS17')
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
  expect((await findResult(place, 'STS17'))?.fault?.code).toBe('format.json')
  execFileSync('mkfifo', [join(dirname(path), 'model_meta.json')])
  expect((await listResults(place.root)).map(({ model, task }) => [model, task])).toEqual([['org/model', 'STS17']])
})
