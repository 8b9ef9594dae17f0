import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Result } from '#core'
import {
  findResult,
  resultDocument,
  resultFolder,
  resultPath,
  reusableResult,
  type ResultPlace,
  writeResult,
} from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from './made-results.ts'

const { path } = scratchFolder()
const placeOf = (root: string, { strata: { model, revision, representation } }: Result): ResultPlace => ({
  root,
  model,
  revision,
  representation,
})

test('a result under an older fingerprint is put aside before another takes its place, the first one for good', async () => {
  const root = path('aside')
  const written = (main_score: number, version: number | undefined): Result => {
    const scores = { test: [{ main_score, hf_subset: 'en-en', languages: ['eng-Latn'] }] }
    const result = sampleResult({ scores })
    const { fingerprint_version: _today, ...strata } = result.strata
    return { ...result, strata: { ...strata, ...(version === undefined ? {} : { fingerprint_version: version }) } }
  }
  const place = placeOf(root, sampleResult())
  const aside = join(resultFolder(place), 'outdated', 'STS17.json')
  const scoreIn = (file: string): unknown =>
    (JSON.parse(readFileSync(file, 'utf8')) as Result).scores?.['test']?.[0]?.main_score
  await writeResult(root, written(0.1, 2))
  // what is of today is written over
  await writeResult(root, written(0.2, 1))
  expect(existsSync(aside)).toBe(false)
  await writeResult(root, written(0.3, undefined))
  expect([scoreIn(aside), scoreIn(resultPath(place, 'STS17'))]).toEqual([0.2, 0.3])
  await writeResult(root, written(0.4, 2))
  expect([scoreIn(aside), scoreIn(resultPath(place, 'STS17'))]).toEqual([0.2, 0.4])
})

test('a result is reused for its own inputs alone', async () => {
  const root = path('reused')
  const place = placeOf(root, sampleResult())
  expect(await reusableResult(place, 'STS17', '9c41')).toBeUndefined()
  await writeResult(root, sampleResult())
  expect(await reusableResult(place, 'STS17', '9c41')).toEqual(resultDocument(sampleResult()))
  expect(await reusableResult(place, 'STS17', '9c42')).toBeUndefined()
  expect(await reusableResult(place, 'STS12', '9c41')).toBeUndefined()
})

test('two names that share a folder do not share a result', async () => {
  const root = path('shared')
  const one = sampleResult({ strata: { representation: 'a b' } })
  await writeResult(root, one)
  const other: ResultPlace = { ...placeOf(root, one), representation: 'a_b' }
  expect(resultPath(other, 'STS17')).toBe(resultPath(placeOf(root, one), 'STS17'))
  expect((await findResult(other, 'STS17'))?.fault).toMatchObject({ code: 'result.invalid' })
  expect((await findResult({ ...placeOf(root, one), revision: 'other' }, 'STS17'))?.result).toBeUndefined()
})
