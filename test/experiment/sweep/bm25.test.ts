import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Result } from '#core'
import { openModel } from '#experiment/open'
import { evaluate } from '#experiment/sweep'
import { representationsNamed } from '#representation/layers'
import { goldenLate, writeLate } from '../../model/checkpoint/golden-late-interaction.ts'
import { goldenRerankers, writeReranker } from '../../model/checkpoint/golden-rerankers.ts'
import { useCarriedHub } from '../../carried.ts'
import { goldenOf } from '../../golden-of.ts'
import { writePets } from './pets.ts'

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bm25-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function ask(reference: string, folder: string, tasks: string[]): Promise<Result | undefined> {
  const model = await openModel(reference)
  const [result] = await evaluate(model, { tasks, outputFolder: join(folder, 'results') })
  await model.close()
  return result
}

test('finds documents by their words, and says with which settings', async () => {
  const folder = await scratch()
  const result = await ask('bm25', folder, [await writePets(folder)])
  expect(result?.strata).toMatchObject({ status: 'ok', model: 'bm25', settings: { k1: 1.5, b: 0.75 } })
  expect(result?.scores?.['test']?.[0]?.main_score).toBe(1)
})

test('two settings in one folder never share a result', async () => {
  const folder = await scratch()
  const pets = await writePets(folder)
  const own = await ask('bm25', folder, [pets])
  const other = await ask('bm25:k1=0.9,b=0.4', folder, [pets])
  expect(other?.strata.representation).toBe('default+k1-0.9+b-0.4')
  expect(other?.strata.fingerprint).not.toBe(own?.strata.fingerprint)
  expect((await ask('bm25', folder, [pets]))?.date).toBe(own?.date)
})

test('scores of twelve languages are those of mteb', { timeout: 60_000 }, async () => {
  onTestFinished(useCarriedHub())
  const wanted = goldenOf<{ ndcg_at_10: Record<string, number> }>('model/lexical', 'bm25-languages').ndcg_at_10
  const result = await ask('bm25', await scratch(), ['XQuADRetrieval'])
  const found = result?.scores?.['validation']?.map((one) => [one.hf_subset, one.main_score])
  // results are kept to five digits
  expect(found).toEqual(Object.entries(wanted).map(([subset, score]) => [subset, Number(score.toFixed(5))]))
})

test('the language decides what a word is, and results of two languages are never shared', async () => {
  const folder = await scratch()
  const files = {
    'corpus.jsonl': '{"_id":"a","text":"Das Haus steht am Hafen."}\n{"_id":"b","text":"Katzen schlafen lange."}\n',
    'queries.jsonl': '{"_id":"q","text":"Häuser"}\n',
    'qrels.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t1\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const path = join(folder, 'own.yaml')
  const results: (Result | undefined)[] = []
  for (const language of ['eng-Latn', 'deu-Latn', 'eng-Latn']) {
    const data = '{ corpus: corpus.jsonl, queries: queries.jsonl, qrels: qrels.tsv }'
    await writeFile(path, `name: Own\ntype: Retrieval\ndata: ${data}\nlanguages: [${language}]\n`)
    results.push(await ask('bm25', folder, [path]))
  }
  const [english, german, again] = results.map((result) => result?.strata.fingerprint)
  expect(german).not.toBe(english)
  expect(again).toBe(english)
  // without a word in common, the second of two documents
  expect(results.map((result) => result?.scores?.['test']?.[0]?.main_score)).toEqual([0.63093, 1, 0.63093])
})

test('two rerankers behind it in one folder, or two depths, never share a result', async () => {
  const folder = await scratch()
  const pets = await writePets(folder)
  const [one, , other] = goldenRerankers.cases
  if (one === undefined || other === undefined) throw new Error('no rerankers')
  const results: (Result | undefined)[] = []
  const model = await openModel('bm25')
  for (const [given, top] of [
    [one, 3],
    [other, 3],
    [one, 1],
    [one, 3],
  ] as const) {
    // two folders of one name
    const path = join(folder, `at${given === one ? 1 : 2}`, 'reranker')
    await writeReranker(path, given)
    const second = await openModel(path)
    const options = { tasks: [pets], outputFolder: join(folder, 'results'), rerank: { model: second, top } }
    results.push((await evaluate(model, options))[0])
    await second.close()
  }
  await model.close()
  const prints = results.map((result) => result?.strata.fingerprint)
  expect(results.map((result) => result?.strata.representation)).toEqual([
    'default+rerank3-reranker',
    'default+rerank3-reranker',
    'default+rerank1-reranker',
    'default+rerank3-reranker',
  ])
  expect(new Set(prints).size).toBe(3)
  expect(prints[3]).toBe(prints[0])
  expect(results[3]?.date).not.toBe(results[1]?.date)
})

test('a model behind it may search by its vectors, in results of their own', { timeout: 60_000 }, async () => {
  const folder = await scratch()
  const pets = await writePets(folder)
  const [given] = goldenLate.cases
  if (given === undefined) throw new Error('no case')
  await writeLate(join(folder, 'late'), given)
  const [first, second] = [await openModel('bm25'), await openModel(join(folder, 'late'))]
  const results: (Result | undefined)[] = []
  const names = ['default', 'h1-maxsim', 'h1', 'h1:int8']
  for (const representation of await representationsNamed(names, second))
    results.push(
      (
        await evaluate(first, {
          tasks: [pets],
          outputFolder: join(folder, 'results'),
          rerank: { model: second, representation, top: 3 },
        })
      )[0],
    )
  await Promise.all([first.close(), second.close()])
  expect(results.map((result) => result?.strata.representation)).toEqual(
    names.map((name) => `default+rerank3-late-${name}`),
  )
  expect(results.map((result) => result?.strata.status)).toEqual(['ok', 'ok', 'ok', 'failed'])
  expect(results[3]?.strata.reason).toMatch(/needs all texts of a task/)
  expect(new Set(results.map((result) => result?.strata.fingerprint)).size).toBe(4)
})

test('a task that needs vectors is refused with the reason', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'own.yaml'), 'name: Own\ntype: Contrast\ndata: { test: own.jsonl }\n')
  await writeFile(join(folder, 'own.jsonl'), '{"anchor":"a b","positive":"a c","negatives":["d e"]}\n')
  const result = await ask('bm25', folder, [join(folder, 'own.yaml')])
  expect(result?.strata).toMatchObject({ status: 'failed', code: 'config.unsupported' })
  expect(result?.strata.reason).toMatch(/counts words/)
})

test.each(['bm25:k1=-1', 'bm25:b=2', 'bm25:', 'bm25:method=lucene'])('%s is refused', async (reference) => {
  await expect(openModel(reference)).rejects.toThrow(/not a setting of BM25/)
})
