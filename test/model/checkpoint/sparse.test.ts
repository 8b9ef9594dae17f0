/** Sparse models as sentence-transformers 6.2 computes them: vectors of every side, and scores of a search. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Matrix, row } from '#core'
import { type Model } from '#model/checkpoint'
import type { ModelOptions } from '#model/passes'
import { openModel } from '#experiment/open'
import { openRepresentation } from '#representation/layers'
import { scratchFolder } from '../../scratch.ts'
import { type GoldenSparse, goldenSparse, type GoldenVector, sparseCase, writeSparse } from './golden-sparse.ts'

const { queries, documents, cases } = goldenSparse
const { path } = scratchFolder()

type Changes = Parameters<typeof writeSparse>[2]

async function opened(
  given: GoldenSparse,
  { changes, ...options }: ModelOptions & { changes?: Changes } = {},
): Promise<Model> {
  const folder = path(
    `sparse-${cases.indexOf(given)}-${JSON.stringify(changes ?? {})
      .replace(/\W+/g, '')
      .slice(-100)}`,
  )
  const model = await openModel(await writeSparse(folder, given, changes), options)
  onTestFinished(() => model.close())
  return model
}

/** float32 in another order of summation, of vectors whose longest number is about 10 */
const close = 1e-5

function expectVectors(found: Matrix, wanted: readonly GoldenVector[]): void {
  expect(found.rows).toBe(wanted.length)
  wanted.forEach(({ columns, weights }, r) => {
    const dense = new Float64Array(found.width)
    columns.forEach((column, i) => (dense[column] = weights[i] ?? 0))
    const scale = Math.max(1, ...weights)
    row(found, r).forEach((value, i) =>
      expect(Math.abs(value - (dense[i] ?? 0)), `row ${r}, column ${i}`).toBeLessThan(close * scale),
    )
  })
}

async function searched(model: Model, askers?: ReadonlyMap<number, readonly number[]>): Promise<number[][]> {
  const scores = queries.map(() => documents.map(() => NaN))
  const searcher = await model.searcher?.()
  await searcher?.search(
    {
      queries,
      documents: { length: documents.length, at: (indexes) => Array.from(indexes, (i) => documents[i] ?? '') },
      languages: ['eng-Latn'],
      askers,
    },
    (query, start, block) => block.forEach((score, i) => ((scores[query] ?? [])[start + i] = score)),
  )
  return scores
}

describe.each(cases)('$name', (given) => {
  test('vectors of texts of no side, of queries and of documents', async () => {
    const embedder = await (await opened(given)).embedder()
    expect(embedder.width).toBe(given.width)
    expectVectors(await embedder.embed(documents), given.plain)
    expectVectors(await embedder.embed(queries, { promptType: 'query' }), given.queries)
    expectVectors(await embedder.embed(documents, { promptType: 'document' }), given.documents)
  })

  test('scores of a search', async () => {
    const scores = await searched(await opened(given))
    given.scores.forEach((own, query) =>
      own.forEach((score, document) =>
        expect(Math.abs((scores[query]?.[document] ?? NaN) - score), `${query}, ${document}`).toBeLessThan(
          close * Math.max(1, Math.abs(score)),
        ),
      ),
    )
  })

  test('an encoder gives the vectors of texts of no side', async () => {
    const encoder = await (await opened(given)).encoder()
    const [data] = await encoder.encode(documents, null, {})
    expect(encoder.slots).toEqual([{ name: 'default', width: given.width }])
    expectVectors({ rows: documents.length, width: given.width, data: data ?? new Float32Array() }, given.plain)
  })
})

test('pairs that a task asks for have the scores of a search over all', async () => {
  const model = await opened(sparseCase('bert, sum'))
  const [all, some] = [
    await searched(model),
    await searched(
      model,
      new Map([
        [4, [0, 2]],
        [1, [2]],
      ]),
    ),
  ]
  const known = some.flatMap((row, query) =>
    row.flatMap((score, at) => (Number.isNaN(score) ? [] : [[query, at, score]])),
  )
  expect(known).toEqual([
    [0, 4, all[0]?.[4]],
    [2, 1, all[2]?.[1]],
    [2, 4, all[2]?.[4]],
  ])
})

test("a checkpoint's own head weighs words like the library's default modules", async () => {
  const given = sparseCase('bert, max')
  const bare = { 'modules.json': null, 'config_sentence_transformers.json': null, 'sentence_bert_config.json': null }
  const model = await opened(given, { changes: bare })
  const embedder = await openRepresentation(model, { kind: 'splade' })
  expect(embedder).toMatchObject({ representation: 'splade', width: given.width })
  expectVectors(await embedder.embed(documents), given.documents)
  expect(model.searcher).toBeUndefined()
  expect(await searched({ ...model, searcher: model.splade?.searcher })).toEqual(await searched(await opened(given)))
})

test('--pooling reads the states of a sparse model', async () => {
  const model = await opened(sparseCase('bert, max'), { pooling: 'mean' })
  expect(model).toMatchObject({ overrides: ['mean'], settings: { pooling: ['mean'], similarity: 'dot' } })
  expect(model.settings.splade).toBeUndefined()
  expect((await model.embedder()).width).toBe(12)
})

test('whatever moves a number is a setting, or in the identity', async () => {
  const own = await opened(sparseCase('bert, max'))
  const four = await opened(sparseCase('bert, max'), {
    changes: { 'config_sentence_transformers.json': { max_active_dims: 4 } },
  })
  expect(own.settings.splade).toEqual({ pooling: 'max', logs: 1 })
  expect((await opened(sparseCase('bert, sum, the logarithm twice'))).settings.splade).toEqual({
    pooling: 'sum',
    logs: 2,
  })
  expect((await four.identity()).modules).not.toBe((await own.identity()).modules)
  const routed = await opened(sparseCase('queries by a table'))
  const [identity, shorter] = [
    await routed.identity(),
    await opened(sparseCase('queries by a table'), { maxLength: 5 }),
  ]
  expect(routed.settings.routes).toMatchObject({ query: { maxLength: 7 }, document: { splade: { pooling: 'max' } } })
  expect(shorter.settings.routes?.query.maxLength).toBe(5)
  expect((await (await opened(sparseCase('plainly as queries'))).identity()).modules).not.toBe(identity.modules)
})

test('weights of tokens are also read from a JSON file of the repository', async () => {
  const given = sparseCase('queries by a table')
  const folder = await writeSparse(path('idf'), given, {
    'query_0_SparseStaticEmbedding/config.json': { path: 'idf.json' },
  })
  await writeFile(join(folder, 'idf.json'), JSON.stringify({ cat: 2.5, dog: 0.5 }))
  const model = await openModel(folder)
  onTestFinished(() => model.close())
  const { data } = await (await model.embedder()).embed(['a cat , dog and cat'], { promptType: 'query' })
  expect([...data].filter((weight) => weight !== 0)).toEqual([2.5, 0.5])
})

const splade = '1_SpladePooling/config.json'
const sae = '2_SparseAutoEncoder/config.json'
const table = 'query_0_SparseStaticEmbedding/config.json'

test.each([
  ['another vocabulary', 'bert, max', { [splade]: { embedding_dimension: 26 } }, /not the size of the vocabulary/],
  ['an unknown pooling', 'bert, max', { [splade]: { pooling_strategy: 'mean' } }, /pooling_strategy/],
  ['an unknown activation', 'bert, max', { [splade]: { activation_function: 'gelu' } }, /activation_function/],
  [
    'states in place of logits',
    'bert, max',
    { 'sentence_bert_config.json': { transformer_task: 'feature-extraction' } },
    /transformer_task: not supported/,
  ],
  [
    'an output that is not logits',
    'bert, max',
    {
      'sentence_bert_config.json': {
        modality_config: { text: { method: 'forward', method_output_name: 'last_hidden_state' } },
      },
    },
    /method_output_name: not supported/,
  ],
  [
    'a code of more numbers than there are',
    'an autoencoder',
    { 'config_sentence_transformers.json': { max_active_dims: 31 } },
    /no such number of outputs/,
  ],
  ['an autoencoder of another width', 'an autoencoder', { [sae]: { input_dim: 11 } }, /does not fit/],
  [
    'a file outside the repository',
    'queries by a table',
    { [table]: { path: '../idf.json' } },
    /outside the repository/,
  ],
  [
    'a route that is not there',
    'queries by a table',
    { 'router_config.json': { parameters: { default_route: 'other' } } },
    /default_route/,
  ],
  [
    'a module that is not there',
    'queries by a table',
    { 'router_config.json': { structure: { query: ['x'], document: ['x'] } } },
    /one of the types/,
  ],
  [
    'a folder outside the repository',
    'queries by a table',
    {
      'router_config.json': {
        types: { '../x': 'sentence_transformers.models.Transformer' },
        structure: { query: ['../x'], document: ['../x'] },
      },
    },
    /\.\.\/x/,
  ],
  [
    'code of its own',
    'queries by a table',
    { 'router_config.json': { types: { x: 'mine.Module' }, structure: { query: ['x'], document: ['x'] } } },
    /types: not supported – mine/,
  ],
] as const)('%s is refused', async (_, name, changes, message) => {
  await expect(opened(sparseCase(name), { changes })).rejects.toThrow(message)
})

test('a checkpoint without a masked-LM head is refused', async () => {
  const given = sparseCase('an autoencoder')
  const { files } = sparseCase('bert, max')
  const { 'config.json': config = '' } = given.files
  const headless = { ...files, 'config.json': config, 'model.safetensors': given.files['model.safetensors'] ?? '' }
  await expect(opened({ ...given, files: headless })).rejects.toThrow(/no masked-LM head/)
})

test('queries and documents of different widths are refused when they are asked', async () => {
  const given = sparseCase('queries by a table')
  const model = await opened(given, {
    changes: {
      'router_config.json': {
        types: {
          query_0_SparseStaticEmbedding: 'sentence_transformers.sparse_encoder.modules.SparseStaticEmbedding',
          document_0_Transformer: 'sentence_transformers.base.modules.transformer.Transformer',
          document_1_SpladePooling: 'sentence_transformers.sentence_transformer.modules.pooling.Pooling',
        },
      },
      'document_1_SpladePooling/config.json': { pooling_mode: 'mean' },
      'document_0_Transformer/sentence_bert_config.json': {
        transformer_task: 'feature-extraction',
        modality_config: null,
      },
    },
  })
  await expect(model.embedder()).rejects.toThrow(/differ in width/)
})

test('a smaller size of a sparse vector is refused', async () => {
  const model = await opened(sparseCase('bert, max'))
  const sized = { kind: 'sized', of: { kind: 'default' }, dimensions: 4, type: 'float32' } as const
  await expect(openRepresentation(model, sized)).rejects.toThrow(/no smaller size/)
})
