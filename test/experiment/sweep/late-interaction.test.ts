import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { evaluate } from '#experiment/sweep'
import { openRepresentation, representationsNamed } from '#representation/layers'
import { goldenLate, type GoldenLate, writeLate } from '../../model/checkpoint/golden-late-interaction.ts'
import { scratchFolder } from '../../scratch.ts'
import { writePets } from './pets.ts'

const { path, file } = scratchFolder()
const firstOf = (maker: string): GoldenLate =>
  goldenLate.cases.find(({ name }) => name.startsWith(maker)) ?? (undefined as never)
const [pylate, colbert, multi] = [firstOf('pylate'), firstOf('colbert'), firstOf('multi-vector')]
const pairs = file(
  'pairs.yaml',
  'name: MyPairs\ntype: STS\nlanguages: [eng-Latn]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
)
file('pairs.csv', 'first,second,rating\ncat,the cat,4\ndog,day,1\nbread,bake bread,3\n')

async function ask(folder: string, names: string[], task: string, options: OpenModelOptions = {}): Promise<Result[]> {
  const model = await openModel(folder, options)
  try {
    const outputFolder = join(path('results'), 'all')
    return await evaluate(model, { tasks: [task], representations: names, outputFolder })
  } finally {
    await model.close()
  }
}

describe('a sweep', () => {
  test('one command scores tokens of layers next to their means, and the folder’s own way', async () => {
    const [folder, pets] = [path('models/one'), await writePets(path('data'))]
    await writeLate(folder, pylate)
    const results = await ask(folder, ['h1', 'h1-maxsim', 'h2-maxsim', 'default'], pets)
    expect(results.map(({ strata }) => [strata.representation, strata.status, strata.settings?.['pooling']])).toEqual([
      ['h1', 'ok', 'mean'],
      ['h1-maxsim', 'ok', 'maxsim'],
      ['h2-maxsim', 'ok', 'maxsim'],
      ['default', 'ok', 'mean'],
    ])
    expect(results[3]?.strata.settings).toMatchObject({ lateInteraction: { lengths: { query: 12, document: 14 } } })
    expect(new Set(results.map(({ strata }) => strata.fingerprint)).size).toBe(4)
    const again = await ask(folder, ['h1-maxsim', 'default'], pets)
    expect(again.map(({ date }) => date)).toEqual([results[1]?.date, results[3]?.date])
  })

  test('a task that searches nothing is refused, with what to ask instead', async () => {
    const folder = path('models/two')
    await writeLate(folder, multi)
    const [result] = await ask(folder, ['h1-maxsim'], pairs)
    expect(result?.strata).toMatchObject({ status: 'failed', code: 'task.unsupported' })
    expect(result?.strata.reason).toMatch(/wanted a task of retrieval or reranking/)
    const [own] = await ask(folder, ['default'], pairs)
    expect(own?.strata).toMatchObject({ status: 'failed', code: 'config.unsupported' })
    expect(own?.strata.reason).toMatch(/a vector for each token/)
  })
})

/** What moves scores of `default`, and so must be in its key. */
const changes: [what: string, given: GoldenLate, Parameters<typeof writeLate>[2], OpenModelOptions?][] = [
  ['a marker', pylate, { 'config_sentence_transformers.json': { query_prefix: '[D] ' } }],
  ['the length of queries', pylate, { 'config_sentence_transformers.json': { query_length: 9 } }],
  ['the length of documents', pylate, { 'config_sentence_transformers.json': { document_length: 9 } }],
  ['expansion', pylate, { 'config_sentence_transformers.json': { do_query_expansion: false } }],
  ['who attends', pylate, { 'config_sentence_transformers.json': { attend_to_expansion_tokens: true } }],
  ['the skip list', pylate, { 'config_sentence_transformers.json': { skiplist_words: ['the'] } }],
  ['whose tokens are skipped', multi, { '1_MultiVectorMask/config.json': { skiplist_words: ['the'] } }],
  ['the mean', multi, { 'config_sentence_transformers.json': { similarity_fn_name: 'meanmaxsim' } }],
  ['a length of ColBERT', colbert, { 'artifact.metadata': { doc_maxlen: 9 } }],
  ['--max-length', pylate, {}, { maxLength: 7 }],
  ['--pooling', pylate, {}, { pooling: 'mean' }],
]

test.each(changes)('%s is in the key', async (what, given, changed, options = {}) => {
  const pets = await writePets(path('data'))
  const folders = [path(`${what}/before`), path(`${what}/after`)] as const
  await writeLate(folders[0], given)
  await writeLate(folders[1], given, changed)
  const [[before], [after]] = [
    await ask(folders[0], ['default'], pets),
    await ask(folders[1], ['default'], pets, options),
  ]
  expect([before?.strata.status, after?.strata.status]).toEqual(['ok', 'ok'])
  expect(before?.strata.fingerprint).not.toBe(after?.strata.fingerprint)
})

test('another command that wants one vector per text is told which to name', async () => {
  const folder = path('models/three')
  await writeLate(folder, multi)
  const model = await openModel(folder)
  const [tokens] = await representationsNamed(['h2-maxsim'], model)
  await expect(openRepresentation(model, tokens ?? { kind: 'default' })).rejects.toMatchObject({
    code: 'usage.conflict',
    parts: { hint: expect.stringMatching(/elsewhere name h2$/) as string },
  })
  await expect(representationsNamed(['h2-maxsim:8'], model)).rejects.toThrow(/no size and no type/)
  await expect(openRepresentation(model, { kind: 'default' })).rejects.toThrow(/a vector for each token/)
  await model.close()
})

test('a pooling that is named makes an encoder of it', async () => {
  const folder = path('models/four')
  await writeLate(folder, pylate)
  const model = await openModel(folder, { pooling: 'mean' })
  expect([model.searcher, model.overrides]).toEqual([undefined, ['mean']])
  expect((await openRepresentation(model, { kind: 'default' })).width).toBe(16)
  await model.close()
})
