/** Sparse models through the public door: a search, other tasks, and keys that are never shared. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Result } from '#core'
import { openModel } from '#experiment/open'
import { evaluate } from '#experiment/sweep'
import { sparseCase, writeSparse } from '../../model/checkpoint/golden-sparse.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

async function beir(): Promise<string> {
  const folder = path('pets')
  await mkdir(join(folder, 'qrels'), { recursive: true })
  const lines = (rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const texts = ['the cat sleeps .', 'the dog barks all day long .', 'baking bread .', 'what is the day ?']
  await writeFile(join(folder, 'corpus.jsonl'), lines(texts.map((text, i) => ({ _id: `d${i}`, title: '', text }))))
  await writeFile(join(folder, 'queries.jsonl'), lines([{ _id: 'q', text: 'what is a cat ?' }]))
  await writeFile(join(folder, 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq\td0\t1\n')
  return folder
}

async function ask(folder: string, tasks: string[], representations = ['default']): Promise<(Result | undefined)[]> {
  const model = await openModel(folder)
  const results = await evaluate(model, { tasks, representations, outputFolder: path('results') })
  await model.close()
  return results
}

test('two settings of one name in one folder never share a result', async () => {
  const pets = await beir()
  const changes = { '1_SpladePooling/config.json': { pooling_strategy: 'sum' } }
  const folder = (at: string) => join(path(at), 'model')
  const given = sparseCase('bert, max')
  const [own] = await ask(await writeSparse(folder('a'), given), [pets])
  const [sum] = await ask(await writeSparse(folder('b'), given, changes), [pets])
  const four = { 'config_sentence_transformers.json': { max_active_dims: 4 } }
  const [active] = await ask(await writeSparse(folder('c'), given, four), [pets])
  const [again] = await ask(folder('a'), [pets])
  expect(own?.strata).toMatchObject({ status: 'ok', settings: { pooling: 'splade-max', similarity: 'dot' } })
  expect(sum?.strata.settings).toMatchObject({ pooling: 'splade-sum' })
  expect(new Set([own, sum, active].map((result) => result?.strata.fingerprint)).size).toBe(3)
  expect(again?.strata.fingerprint).toBe(own?.strata.fingerprint)
})

test('a masked-LM checkpoint is asked by its own words, next to its states', async () => {
  const bare = { 'modules.json': null, 'config_sentence_transformers.json': null, 'sentence_bert_config.json': null }
  const folder = await writeSparse(join(path('plain'), 'model'), sparseCase('bert, max'), bare)
  const pets = await beir()
  await writeFile(path('own.yaml'), 'name: Own\ntype: Contrast\ndata: { test: own.jsonl }\n')
  await writeFile(path('own.jsonl'), '{"anchor":"a cat","positive":"the cat","negatives":["dog"]}\n')
  const results = await ask(folder, [pets, path('own.yaml')], ['splade', 'default'])
  const facts = results.map((result) =>
    [result?.task_name, result?.strata.representation, result?.strata.status].join(' '),
  )
  expect(facts).toEqual(
    expect.arrayContaining(['Own default ok', 'Own splade ok', 'pets default ok', 'pets splade ok']),
  )
  const similarities = results.map((result) =>
    [result?.strata.representation, result?.strata.settings['similarity']].join(' '),
  )
  expect(new Set(similarities)).toEqual(new Set(['splade dot', 'default cosine']))
})
