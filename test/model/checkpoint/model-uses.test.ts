import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '#experiment/open'
import { modelUses } from '#model/checkpoint'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'
import { goldenLate, writeLate } from './golden-late-interaction.ts'
import { goldenRerankers, writeReranker } from './golden-rerankers.ts'
import { sparseCase, writeSparse } from './golden-sparse.ts'

const { path } = scratchFolder()

test.each([
  ['bert, one label', 'one-label'],
  ['bert, two labels', 'two-labels'],
  ['bert, Dense modules behind a pooling', 'pooled'],
  ['qwen3, a LogitScore behind a chat, cut to its words', 'next-token'],
])('%s: a reranker by its %s', async (name, by) => {
  const given = goldenRerankers.cases.find((one) => one.name === name)
  if (given === undefined) throw new Error('no such reranker')
  await writeReranker(path(by), given)
  const model = await openModel(path(by))
  onTestFinished(() => model.close())
  const uses = await modelUses(model)
  expect(uses).toContainEqual(expect.objectContaining({ kind: 'reranker', by }))
  expect(uses).toContainEqual({ kind: 'encoder', hasDefault: false, states: 3, hasSplade: false })
})

test('an encoder has its default and its states, and is neither table nor classifier', async () => {
  await writeSmallModel(path('small'))
  const model = await openModel(path('small'))
  onTestFinished(() => model.close())
  const [encoder, ...others] = await modelUses(model)
  expect(encoder).toMatchObject({ kind: 'encoder', hasDefault: true })
  expect(others.filter(({ kind }) => kind !== 'language-model')).toEqual([])
})

test('a model of token vectors searches by them; a sparse one by its numbers, and its head weighs words', async () => {
  const [late] = goldenLate.cases
  if (late === undefined) throw new Error('no late-interaction model')
  await writeLate(path('late'), late)
  const interaction = await openModel(path('late'))
  onTestFinished(() => interaction.close())
  const found = await modelUses(interaction)
  expect(found).toContainEqual({ kind: 'late-interaction', similarity: 'maxsim' })
  expect(found).toContainEqual(expect.objectContaining({ kind: 'encoder', hasDefault: false }))
  const sparse = await openModel(await writeSparse(path('sparse'), sparseCase('bert, max')))
  onTestFinished(() => sparse.close())
  const uses = await modelUses(sparse)
  expect(uses).toContainEqual({ kind: 'sparse' })
  expect(uses).toContainEqual(expect.objectContaining({ kind: 'encoder', hasDefault: true, hasSplade: true }))
})

test('BM25 searches, and has no vectors', async () => {
  expect(await modelUses(await openModel('bm25'))).toEqual([{ kind: 'word-counts' }])
})
