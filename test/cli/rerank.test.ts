import { mkdir, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { goldenRerankers, type GoldenReranker, writeReranker } from '../model/checkpoint/golden-rerankers.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const named = (name: string): GoldenReranker =>
  goldenRerankers.cases.find((one) => one.name === name) ?? (undefined as never)
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

beforeAll(async () => {
  await mkdir(path('pets/qrels'), { recursive: true })
  const texts = { cats: 'the cat sleeps all day', dogs: 'the dog barks', bread: 'the bread is baking all day long' }
  await writeFile(
    path('pets/corpus.jsonl'),
    lines(Object.entries(texts).map(([_id, text]) => ({ _id, title: '', text }))),
  )
  await writeFile(path('pets/queries.jsonl'), lines([{ _id: 'q', text: 'what is the cat ?' }]))
  await writeFile(path('pets/qrels/test.tsv'), 'query-id\tcorpus-id\tscore\nq\tcats\t1\n')
  await mkdir(path('all/qrels'), { recursive: true })
  const queries = { q1: 'what is the cat ?', q2: 'a dog barks', q3: 'baking bread' }
  await writeFile(
    path('all/corpus.jsonl'),
    lines(Object.entries(texts).map(([_id, text]) => ({ _id, title: '', text }))),
  )
  await writeFile(path('all/queries.jsonl'), lines(Object.entries(queries).map(([_id, text]) => ({ _id, text }))))
  const pairs = Object.keys(queries).flatMap((query) =>
    Object.keys(texts).map((document) => `${query}\t${document}\t1\n`),
  )
  await writeFile(path('all/qrels/test.tsv'), `query-id\tcorpus-id\tscore\n${pairs.join('')}`)
  await writeReranker(path('one'), named('bert, one label'))
  await writeReranker(path('other'), named('bert, one label, the older key'))
  await writeReranker(path('two'), named('bert, two labels'))
  for (const folder of ['writer', 'writer-reranker']) await writeReranker(path(folder), named('qwen3, yes or no'))
  const recipe = (weight: number): string =>
    `merge_method: linear\nmodels: [{model: ./one, parameters: {weight: ${weight}}}, {model: ./other, parameters: {weight: 1}}]\n`
  await writeFile(path('mixed.yml'), recipe(1))
  await writeFile(path('first.yml'), recipe(3))
})

async function asked(...flags: readonly string[]): Promise<{ result: Result | undefined; stderr: string }> {
  const places = ['--results', path('results'), '--cache-dir', path('cache')]
  const { stdout, stderr } = await strata(
    ['evaluate', 'bm25', '--tasks', path('pets'), '--json', ...places, ...flags],
    { cwd: path('.') },
  )
  return { result: stdout === '' ? undefined : (JSON.parse(stdout) as Result), stderr }
}

const prompted = (prompt: string): ReturnType<typeof asked> =>
  asked('--rerank', './writer-reranker', '--rerank-prompt', prompt)

describe('strata models', () => {
  test('says how a reranker may be asked, before any weight is read', async () => {
    const { stdout } = await strata(['models', path('one'), path('writer-reranker'), path('writer'), 'bm25'])
    const uses = stdout.split('\n').filter((line) => line.startsWith('asked as'))
    expect(uses.map((line) => line.replace(/^asked as\s+/, ''))).toEqual([
      'encoder: h0 … h2',
      'reranker by a head of one label, Sigmoid, pairs of at most 24 tokens',
      'encoder: h0 … h2',
      'reranker by the logits of the next token, Sigmoid, pairs of at most 512 tokens',
      'language model',
      'encoder: default, h0 … h2',
      'language model',
      'search by counted words',
    ])
    const json = await strata(['models', path('two'), '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      uses: [
        { kind: 'encoder', hasDefault: false, states: 3 },
        { kind: 'classifier', labels: ['LABEL_0', 'LABEL_1'] },
        { kind: 'reranker', by: 'two-labels', maxLength: 24, activation: 'Identity' },
      ],
    })
  })
})

describe('--rerank', () => {
  test('takes the first layers with the head on top, and never mixes results of two depths', async () => {
    const whole = await asked('--rerank', './one')
    const cut = await asked('--rerank', './one', '--rerank-layers', '1')
    const all = await asked('--rerank', './one', '--rerank-layers', '2')
    expect(whole.result?.strata.representation).toBe('default+rerank100-one')
    expect(cut.result?.strata.representation).toBe('default+rerank100-one-first1')
    expect(cut.result?.strata.fingerprint).not.toBe(whole.result?.strata.fingerprint)
    expect(all.result?.date).toBe(whole.result?.date)
    expect((await asked('--rerank', './one', '--rerank-layers', '1')).result?.date).toBe(cut.result?.date)
  })

  test('reads every pair with the prompt that is named, and never mixes results of two prompts', async () => {
    const rerank = ['--rerank', './writer-reranker']
    const own = await asked(...rerank)
    const [one, other] = [await prompted('cat'), await prompted('bread')]
    expect(one.result?.strata.representation).toMatch(/^default\+rerank100-writer-reranker-prompt-cat/)
    const prints = [own, one, other].map(({ result }) => result?.strata.fingerprint)
    expect(new Set(prints).size).toBe(3)
    expect((await prompted('cat')).result?.date).toBe(one.result?.date)
    expect((await asked(...rerank)).result?.date).toBe(own.result?.date)
    expect((await asked('--rerank-prompt', 'cat')).stderr).toMatch(/--rerank-prompt.*has no effect without --rerank/s)
  })

  test('takes merges that are not written, each with results of its own', async () => {
    const mixed = await asked('--rerank', 'mixed.yml')
    const first = await asked('--rerank', 'first.yml')
    expect(mixed.result?.strata.representation).toBe('default+rerank100-merge__mixed')
    expect(first.result?.strata.fingerprint).not.toBe(mixed.result?.strata.fingerprint)
    expect((await asked('--rerank', 'merge:mixed.yml')).result?.date).toBe(mixed.result?.date)
    const cut = await asked('--rerank', 'mixed.yml', '--rerank-layers', '1')
    expect(cut.result?.strata.status).toBe('ok')
    expect(cut.result?.strata.fingerprint).not.toBe(mixed.result?.strata.fingerprint)
  })

  test('is in the plan: its memory, and the most that it reads', async () => {
    const planned = async (...flags: readonly string[]): Promise<string> => {
      const { stdout } = await strata(['evaluate', 'bm25', '--tasks', path('all'), '--dry-run', ...flags], {
        cwd: path('.'),
      })
      return stdout
    }
    expect(await planned()).toMatch(/^bm25 .* · no layers · /)
    expect(await planned()).toMatch(/^encode +6 texts; the cache keeps no vectors of this model$/m)
    expect(await planned()).not.toMatch(/cached|stored|^rerank/m)
    expect(await planned('--rerank', './one', '--top', '2')).toMatch(
      /^rerank +one: at most 6 pairs \(top 2\).*memory ≤ 402 MB\nmemory +≤ 652 MB$/m,
    )
    // three queries, and the three documents of six pairs
    expect(await planned('--rerank', './writer#h1', '--top', '2')).toMatch(/^rerank +writer by h1: at most 6 texts/m)
    const json = JSON.parse(await planned('--rerank', './one', '--top', '2', '--json')) as object
    expect(json).toMatchObject({ rerank: { model: 'one', representation: null, top: 2, most: 6 } })
  })

  test('refuses more layers than there are, and a language model that nothing calls a reranker', async () => {
    expect((await asked('--rerank', './one', '--rerank-layers', '3')).stderr).toMatch(/more layers than the model has/)
    expect((await asked('--rerank', './writer')).stderr).toMatch(/add config_sentence_transformers\.json/)
    expect((await asked('--rerank-layers', '1')).stderr).toMatch(/--rerank-layers.*has no effect without --rerank/s)
  })
})

describe('a second stage that counts words', () => {
  test('ranks what was found, however much of it', async () => {
    const { result } = await asked('--rerank', 'bm25#default', '--top', '2')
    const whole = await asked()
    expect(result?.scores?.['test']?.[0]?.['ndcg_at_1']).toBe(whole.result?.scores?.['test']?.[0]?.['ndcg_at_1'])
  })

  test('ranks what a model found by its vectors, though it would have found other documents', async () => {
    // every document is relevant to every query: the score is the share of queries that keep one
    const flags = ['--tasks', path('all'), '--json', '--results', path('results'), '--cache-dir', path('cache')]
    const { stdout } = await strata(
      ['evaluate', './writer', '--representation', 'h2', '--rerank', 'bm25#default', '--top', '1', ...flags],
      { cwd: path('.') },
    )
    expect((JSON.parse(stdout) as Result).scores?.['test']?.[0]?.['ndcg_at_1']).toBe(1)
  })

  test('takes no prompt and no layers', async () => {
    for (const flags of [
      ['--rerank-prompt', 'x'],
      ['--rerank-layers', '1'],
    ])
      expect((await asked('--rerank', 'bm25#default', ...flags)).stderr).toContain('usage.conflict  bm25')
  })
})
