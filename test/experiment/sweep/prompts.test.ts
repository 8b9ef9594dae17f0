/**
 * Prompts on their way from folder, flag, task and mteb's table to the numbers: a text under a prompt is the text with
 * the prompt's words in front of it, whoever asks.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PromptType, Result } from '#core'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { encode, evaluate, planSweep } from '#experiment/sweep'
import { type Model, tokensOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { readTaskFiles } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()
const texts = ['a', 'b a', 'a b b', '']
const prompts = { query: 'a ', document: 'b ', own: 'b b ', 'Search-query': 'a b ', Pairs: 'b a ' }
const modules = ['Transformer', 'Pooling'].map((name, idx) => ({
  idx,
  name: String(idx),
  path: idx === 0 ? '' : '1_Pooling',
  type: `sentence_transformers.models.${name}`,
}))
const withSpecial = {
  'tokenizer.json': { post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] } },
  'tokenizer_config.json': {
    tokenizer_class: 'PreTrainedTokenizerFast',
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  },
}
/** A sentence-transformers folder with these prompts. */
const asked = (own: object, pooling: object = {}) => ({
  ...withSpecial,
  'modules.json': modules,
  '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true, ...pooling },
  'config_sentence_transformers.json': { prompts: own },
})

let plain: Model
beforeAll(async () => {
  plain = await openModel(await writeSmallModel(path('plain'), withSpecial))
  return () => plain.close()
})

async function opened(folder: string, options?: OpenModelOptions): Promise<Model> {
  const model = await openModel(folder, options)
  onTestFinished(() => model.close())
  return model
}
const rowsOf = async (model: Model, list: readonly string[], promptType?: PromptType): Promise<number[]> => [
  ...(await encode(model, list, promptType === undefined ? {} : { promptType })).data,
]
/** What the model says of the texts with these words in front. */
const worded = (front: string): Promise<number[]> =>
  rowsOf(
    plain,
    texts.map((text) => front + text),
  )

describe.each(['kept', 'not kept'])('vectors that are %s', (kept) => {
  const options = (): OpenModelOptions => (kept === 'kept' ? { store: openStore(path('vectors')) } : {})
  const folder = path('model')
  beforeAll(async () => void (await writeSmallModel(folder, asked(prompts))))

  test('are of the text with the prompt of its side, all sides in one model', async () => {
    const model = await opened(folder, options())
    for (const [side, front] of [
      ['query', 'a '],
      ['document', 'b '],
      [undefined, ''],
      ['query', 'a '],
    ] as const)
      expect({ side, rows: await rowsOf(model, texts, side) }).toEqual({ side, rows: await worded(front) })
  })

  test.each([
    [{ prompt: 'b a ' }, 'b a '],
    [{ promptName: 'own' }, 'b b '],
    [{ prompt: '' }, ''],
  ])('%j: the same words in front of every side', async (given, front) => {
    const model = await opened(folder, { ...options(), ...given })
    for (const side of ['query', 'document', undefined] as const)
      expect(await rowsOf(model, texts, side)).toEqual(await worded(front))
  })
})

test('a static table reads them too', async () => {
  const vocab = { '[PAD]': 0, '[UNK]': 1, a: 2, b: 3 }
  const table = { shape: [4, 2], values: [0, 0, 9, 9, 1, 0, 0, 1] }
  const folder = await writeSmallModel(path('static'), {
    'config.json': { model_type: 'model2vec', normalize: false },
    'tokenizer.json': { model: { type: 'WordLevel', vocab, unk_token: '[UNK]' } },
    'model.safetensors': { embeddings: table },
  })
  const [bare, model] = [await opened(folder), await opened(folder, { prompt: 'b b ' })]
  expect(await rowsOf(model, ['a', 'b'])).toEqual(await rowsOf(bare, ['b b a', 'b b b']))
})

test('a classifier reads them too', async () => {
  const head = {
    'classifier.weight': { shape: [2, 4], values: [1, 2, -1, 0, 0, 1, 1, -2] },
    'classifier.bias': { shape: [2], values: [0, 0] },
  }
  const folder = await writeSmallModel(path('classifier'), {
    'config.json': { architectures: ['BertForSequenceClassification'], num_labels: 2 },
    'model.safetensors': head,
  })
  const logitsOf = async (list: readonly string[], options?: OpenModelOptions): Promise<number[]> => {
    const classifier = await (await opened(folder, options)).classifier?.()
    return [...((await classifier?.logits(list))?.data ?? [])]
  }
  const found = await logitsOf(texts.slice(0, 3), { prompt: 'b a ' })
  expect(found).toHaveLength(6)
  expect(found).toEqual(await logitsOf(texts.slice(0, 3).map((text) => `b a ${text}`)))
})

describe('include_prompt: false', () => {
  /**
   * Mean of the last states behind [CLS] and the two words of the prompt, [SEP] among them (sentence-transformers 5,
   * `_get_prompt_length`).
   */
  const without = async (text: string): Promise<number[]> => {
    const tokens = tokensOf(plain)
    const batch = await tokens.batch([`b a ${text}`], { prompt: null, side: 'right' })
    const [last] = (await tokens.run({ batch, states: [], lastState: true })).filter(
      ({ name }) => name === 'last_hidden_state',
    )
    const rows = Array.from({ length: batch.cols - 3 }, (_, i) =>
      [...(last?.data ?? [])].slice((3 + i) * 4, (4 + i) * 4),
    )
    return [0, 1, 2, 3].map((k) => rows.reduce((sum, row) => sum + (row[k] ?? NaN), 0) / rows.length)
  }

  test('pools what stands behind the prompt; the folder changed in place, one cache holds both', async () => {
    const folder = path('pooled')
    const store = openStore(path('pooled-vectors'))
    const given = { store, prompt: 'b a ' }
    await writeSmallModel(folder, asked({}, { include_prompt: false }))
    const list = texts.slice(0, 3)
    const [left, wanted] = [
      await rowsOf(await opened(folder, given), list),
      (await Promise.all(list.map(without))).flat(),
    ]
    // float32 sums in another order
    left.forEach((value, i) => expect(value).toBeCloseTo(wanted[i] ?? NaN, 5))
    await writeSmallModel(folder, asked({}))
    expect(await rowsOf(await opened(folder, given), list)).toEqual((await worded('b a ')).slice(0, 12))
    await writeSmallModel(folder, asked({}, { include_prompt: false }))
    expect(await rowsOf(await opened(folder, given), list)).toEqual(left)
  })
})

describe('a model that mteb asks in its own way', () => {
  /** A hub's cache with the small model under another's name. */
  async function named(name: string): Promise<string> {
    const commit = '0123456789abcdef0123456789abcdef01234567'
    const storage = path(join('hub', `models--${name.replace('/', '--')}`))
    await writeSmallModel(join(storage, 'snapshots', commit), asked({}))
    await mkdir(join(storage, 'refs'), { recursive: true })
    await writeFile(join(storage, 'refs', 'main'), commit)
    const before = { cache: process.env['HF_HUB_CACHE'], offline: process.env['HF_HUB_OFFLINE'] }
    Object.assign(process.env, { HF_HUB_CACHE: path('hub'), HF_HUB_OFFLINE: '1' })
    onTestFinished(() => {
      for (const [variable, value] of [
        ['HF_HUB_CACHE', before.cache],
        ['HF_HUB_OFFLINE', before.offline],
      ] as const)
        if (value === undefined) delete process.env[variable]
        else process.env[variable] = value
    })
    return name
  }

  test('has its prompts in front, though the folder has none', async () => {
    const model = await opened(await named('intfloat/multilingual-e5-small'))
    expect(await rowsOf(model, texts, 'query')).toEqual(await worded('query: '))
    expect(await rowsOf(model, texts, 'document')).toEqual(await worded('passage: '))
  })

  test('may leave them out of the pooling, though the folder does not', async () => {
    const model = await opened(await named('GritLM/GritLM-7B'))
    expect(model.settings.includePrompt).toBe(false)
  })
})

describe('a task', () => {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`
  const words = (i: number, length: number): string =>
    Array.from({ length }, (_, k) => 'ab'[((i * 7 + k * 3 + (i >> k)) >> (k % 3)) & 1]).join(' ')

  /** A search of twelve documents, each text with these words in front. */
  async function search(name: string, front: { query: string; document: string }): Promise<string> {
    const folder = path(name)
    await mkdir(join(folder, 'qrels'), { recursive: true })
    const documents = Array.from({ length: 12 }, (_, i) =>
      line({ _id: `d${i}`, text: front.document + words(i, 1 + (i % 5)) }),
    )
    const queries = Array.from({ length: 6 }, (_, i) =>
      line({ _id: `q${i}`, text: front.query + words(i + 3, 2 + (i % 4)) }),
    )
    await writeFile(join(folder, 'corpus.jsonl'), documents.join(''))
    await writeFile(join(folder, 'queries.jsonl'), queries.join(''))
    const grades = Array.from({ length: 6 }, (_, i) =>
      [0, 1, 2].map((k) => `q${i}\td${(i * 5 + k * 4) % 12}\t${k + 1}\n`).join(''),
    )
    await writeFile(join(folder, 'qrels', 'test.tsv'), `query-id\tcorpus-id\tscore\n${grades.join('')}`)
    return folder
  }
  const scored = async (model: Model, task: string, out: string): Promise<Result> => {
    const [result] = await evaluate(model, { tasks: [task], outputFolder: path(out) })
    if (result?.strata.status !== 'ok') throw new Error(result?.strata.reason ?? 'no result')
    return result
  }

  test('is asked side by side, under its own name; other prompts are other inputs', async () => {
    const folder = path('searched')
    const store = openStore(path('searched-vectors'))
    await writeSmallModel(folder, asked(prompts))
    const task = await search('Search', { query: '', document: '' })
    const found = await scored(await opened(folder, { store }), task, 'searched-results')
    const scoresOf = async (query: string, document: string): Promise<unknown> =>
      (
        await scored(
          plain,
          await search(`Worded${query}${document}`.replaceAll(' ', ''), { query, document }),
          'worded-results',
        )
      ).scores
    expect(found.scores).toEqual(await scoresOf('a b ', 'b '))
    // the ranking tells the others from it
    for (const [query, document] of [
      ['', ''],
      ['a ', 'b '],
      ['b ', 'a b '],
      ['a b ', 'a b '],
      ['b ', 'b '],
    ] as const)
      expect(found.scores).not.toEqual(await scoresOf(query, document))
    expect(found.strata.settings).toMatchObject({ prompt: null, queryPrompt: 'a b ', documentPrompt: 'b ' })

    await writeSmallModel(folder, asked({ ...prompts, document: 'a a a ' }))
    const after = await scored(await opened(folder, { store }), task, 'searched-results')
    expect(after.strata.fingerprint).not.toBe(found.strata.fingerprint)
    expect(after.scores).toEqual(await scoresOf('a b ', 'a a a '))
  })

  test('without sides is asked under its own name; a plan looks for the vectors that it will ask', async () => {
    const folder = path('paired')
    await writeSmallModel(folder, asked(prompts))
    const rows = Array.from(
      { length: 9 },
      (_, i) => `${words(i, 1 + (i % 4))},${words(i * 3 + 1, 2 + (i % 3))},${(i * 4) % 7}`,
    )
    const tableOf = (front: string): string =>
      [
        'sentence1,sentence2,score',
        ...rows.map((row) => row.replace(/^([^,]*),([^,]*)/, (_, a: string, b: string) => `${front}${a},${front}${b}`)),
        '',
      ].join('\n')
    const task = file('pairs.yaml', 'name: Pairs\ntype: STS\ndata: pairs.csv\n')
    file('pairs.csv', tableOf(''))
    file('worded.csv', tableOf('b a '))
    const wordedTask = file('worded.yaml', 'name: WordedPairs\ntype: STS\ndata: worded.csv\n')
    const store = openStore(path('paired-vectors'))
    const model = await opened(folder, { store })
    const { tasks, data } = await readTaskFiles([task])
    const plan = async (one: Model): Promise<unknown[]> =>
      (
        await planSweep(one, {
          tasks,
          ownData: data,
          representations: [{ kind: 'default' }],
          keep: 'last',
          outputFolder: path('nothing'),
        })
      ).costs.map(({ texts: all, missing }) => [all, missing])
    const [[all] = []] = (await plan(model)) as [number, number][]
    expect(await plan(model)).toEqual([[all, all]])
    const found = await scored(model, task, 'paired-results')
    expect(found.scores).toEqual((await scored(plain, wordedTask, 'paired-results')).scores)
    expect(found.scores).not.toEqual((await scored(plain, task, 'plain-results')).scores)
    expect(await plan(model)).toEqual([[all, 0]])
    expect(await plan(await opened(folder, { store, prompt: 'a ' }))).toEqual([[all, all]])
  })
})
