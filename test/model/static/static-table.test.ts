import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault, row, type RepoFiles, type TensorSource } from '#core'
import { openTensors } from '#files/formats'
import { folderFiles as folderOf } from '#files/hub'
import { openStatic, type StaticTable } from '../../../src/model/static/static-table.ts'
import { loadTokenizer } from '#model/tokenizer'
import { folderFiles } from '../../files/formats/folder-files.ts'
import { shared, sharedPath } from '../../shared.ts'
import { writeRepo, type TestTensor } from '../checkpoint/made-repo.ts'
import { goldenOf } from '../../golden-of.ts'

let folder: string
const opened: TensorSource[] = []
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'strata-static-'))))
afterEach(async () => {
  for (const tensors of opened.splice(0)) await tensors.close()
  await rm(folder, { recursive: true, force: true })
})

const words = ['[UNK]', 'a', 'bb', 'ccc', 'dddd']
const tokenizer = (extra: Record<string, unknown> = {}): Record<string, unknown> => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: '[UNK]' },
  ...extra,
})
/** Row i is (i, i²). */
const squares: TestTensor = { shape: [5, 2], values: [0, 0, 1, 1, 2, 4, 3, 9, 4, 16] }
const model2vec = (
  config: Record<string, unknown> = {},
  tensors: Record<string, TestTensor> = { embeddings: squares },
): Record<string, unknown> => ({
  'config.json': { model_type: 'model2vec', ...config },
  'tokenizer.json': tokenizer(),
  'model.safetensors': tensors,
})

async function openFiles(files: RepoFiles): Promise<StaticTable> {
  const tensors = await openTensors(await files.local('model.safetensors'))
  opened.push(tensors)
  return openStatic(files, tensors, await loadTokenizer(files))
}
const open = async (contents: Record<string, unknown>): Promise<StaticTable> =>
  openFiles(await writeRepo(folder, contents))
const rowsOf = async (table: StaticTable, texts: readonly string[]): Promise<number[][]> => {
  const vectors = await table.embed(texts)
  expect([vectors.rows, vectors.width]).toEqual([texts.length, table.width])
  return texts.map((_, i) => [...row(vectors, i)])
}
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : error),
  )

describe('a model2vec table', () => {
  test('gives the mean of the rows of known words', async () => {
    const table = await open(model2vec())
    expect(table).toMatchObject({ rule: 'model2vec', width: 2, rows: 5, maxLength: 512, normalized: false })
    expect(await rowsOf(table, ['a', 'a bb', 'bb bb zzz ccc', 'dddd'])).toEqual([
      [1, 1],
      [1.5, 2.5],
      [7 / 3, 17 / 3].map(Math.fround),
      [4, 16],
    ])
  })

  test('keeps the row of an empty text, and of one without a known word: zeros', async () => {
    for (const normalize of [false, true])
      expect(await rowsOf(await open(model2vec({ normalize })), ['', ' ', 'zzz', '[UNK]'])).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ])
    expect(await rowsOf(await open(model2vec()), [])).toEqual([])
  })

  test('normalises if config.json says so', async () => {
    expect(await rowsOf(await open(model2vec({ normalize: true })), ['bb', 'a bb'])).toEqual([
      [1 / Math.sqrt(5), 2 / Math.sqrt(5)].map(Math.fround),
      [1.5 / Math.hypot(1.5, 2.5), 2.5 / Math.hypot(1.5, 2.5)].map(Math.fround),
    ])
  })

  test('may be stored in any dtype', async () => {
    for (const dtype of ['F64', 'F32', 'F16', 'BF16', 'I8', 'U8', 'I32', 'F8_E4M3'] as const) {
      expect(await rowsOf(await open(model2vec({}, { embeddings: { ...squares, dtype } })), ['a bb', 'dddd'])).toEqual([
        [1.5, 2.5],
        [4, 16],
      ])
    }
  })

  test('weighs tokens and shares rows where it has weights and a mapping; the mean is over the number of tokens', async () => {
    const tensors = {
      embeddings: { shape: [2, 2], values: [1, 10, 2, 20] },
      mapping: { shape: [5], values: [0, 0, 1, 1, 0], dtype: 'I64' as const },
      weights: { shape: [5], values: [9, 1, 0.5, 2, 4] },
    }
    expect(await rowsOf(await open(model2vec({}, tensors)), ['a', 'bb', 'a bb ccc', 'dddd zzz'])).toEqual([
      [1, 10],
      [1, 10],
      [2, 20],
      [4, 40],
    ])
  })

  test('reads the first 512 × median characters, drops unknown words, then keeps 512', async () => {
    // Tokens have lengths 5, 1, 2, 3, 4: the median is 3, the cut at 1,536 characters.
    const table = await open(model2vec())
    const unknown = 'z '.repeat(600) // 1,200 characters, 600 tokens
    expect(await rowsOf(table, [`${unknown}dddd`, `${'z '.repeat(768)}dddd`])).toEqual([
      [4, 16],
      [0, 0],
    ])
    expect(await rowsOf(table, [`${'a '.repeat(512)}dddd`])).toEqual([[1, 1]])
    expect(await rowsOf(table, [`${'😀 '.repeat(600)}dddd`])).toEqual([[4, 16]]) // characters are code points
    const short = await open(model2vec({ max_length: 2 }))
    expect(await rowsOf(short, ['a a dddd', 'zzzzzz dddd'])).toEqual([
      [1, 1],
      [0, 0],
    ])
    const endless = await open(model2vec({ max_length: null }))
    expect(await rowsOf(endless, [`${'a '.repeat(3000)}${'bb '.repeat(3000)}`])).toEqual([[1.5, 2.5]])
  })

  test('reports the tokens that counted', async () => {
    const heard: number[] = []
    const onTokens = (tokens: number): void => void heard.push(tokens)
    await (await open(model2vec())).embed(['a bb', 'zzz', 'dddd zzz a'], { onTokens })
    await (await open(model2vec({ max_length: 2 }))).embed(['a bb ccc', 'a'], { onTokens })
    await (await open(model2vec())).embed(['a '.repeat(600)], { onTokens })
    expect(heard).toEqual([4, 3, 512])
  })

  test('is found without its config.json', async () => {
    const { 'config.json': _, ...rest } = model2vec()
    expect(await open(rest)).toMatchObject({ rule: 'model2vec', normalized: false, maxLength: 512 })
  })

  test('gives each text the same row alone and among others', async () => {
    const table = await open(model2vec({ normalize: true }))
    const text = fc
      .array(fc.constantFrom('a', 'bb', 'ccc', 'dddd', 'zzz', '😀'), { maxLength: 8 })
      .map((list) => list.join(' '))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (texts) => {
        const together = await rowsOf(table, texts)
        for (const [i, one] of texts.entries()) expect((await rowsOf(table, [one]))[0]).toEqual(together[i])
      }),
      { seed: 8, numRuns: 20 },
    )
  })

  test('reports progress and stops when told to', async () => {
    const table = await open(model2vec())
    const seen: number[] = []
    await table.embed(
      Array.from({ length: 2500 }, () => 'a'),
      { onProgress: ({ done }) => void seen.push(done) },
    )
    expect(seen).toEqual([1024, 2048, 2500])
    await expect(table.embed(['a'], { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})

describe('a StaticEmbedding of sentence-transformers', () => {
  const modules = [{ idx: 0, name: '0', path: '', type: 'sentence_transformers.models.StaticEmbedding' }]
  const repo = (extra: Record<string, unknown> = {}): Record<string, unknown> => ({
    'modules.json': modules,
    'tokenizer.json': tokenizer(),
    'model.safetensors': { 'embedding.weight': { ...squares, values: [7, 7, ...Array.from(squares.values).slice(2)] } },
    ...extra,
  })

  test('counts every token, the unknown one too, and is not cut', async () => {
    const table = await open(repo())
    expect(table).toMatchObject({ rule: 'static-embedding', maxLength: undefined, normalized: false })
    expect(await rowsOf(table, ['a zzz', '', `${'a '.repeat(3000)}${'bb '.repeat(3000)}`])).toEqual([
      [4, 4],
      [0, 0],
      [1.5, 2.5],
    ])
  })

  test('is cut where tokenizer.json says so, at the end it says', async () => {
    const cut = (direction: string): Record<string, unknown> =>
      repo({
        'tokenizer.json': tokenizer({ truncation: { direction, max_length: 2, strategy: 'LongestFirst', stride: 0 } }),
      })
    expect(await rowsOf(await open(cut('Right')), ['a a dddd'])).toEqual([[1, 1]])
    expect(await rowsOf(await open(cut('Left')), ['dddd a a'])).toEqual([[1, 1]])
  })

  test('takes a table in model2vec’s names', async () => {
    expect(await open(repo({ 'model.safetensors': { embeddings: squares } }))).toMatchObject({
      rule: 'static-embedding',
    })
  })

  test('may lie in a folder of its own', async () => {
    const { 'modules.json': list, ...rest } = repo()
    const files = await writeRepo(folder, {
      'modules.json': list,
      ...Object.fromEntries(Object.entries(rest).map(([path, content]) => [`0_StaticEmbedding/${path}`, content])),
    })
    expect(await rowsOf(await openFiles(folderOf(files, '0_StaticEmbedding')), ['bb'])).toEqual([[2, 4]])
  })
})

describe('what is refused', () => {
  const cases: readonly (readonly [what: string, code: string, contents: Record<string, unknown>])[] = [
    ['no table', 'tensor.missing', model2vec({}, { other: squares })],
    [
      'a list instead of a table',
      'tensor.shape',
      model2vec({}, { embeddings: { shape: [5], values: [1, 2, 3, 4, 5] } }),
    ],
    ['an empty table', 'tensor.shape', model2vec({}, { embeddings: { shape: [0, 2], values: [] } })],
    [
      'fewer rows than tokens',
      'tensor.shape',
      model2vec({}, { embeddings: { shape: [4, 2], values: [0, 0, 1, 1, 2, 4, 3, 9] } }),
    ],
    [
      'more rows than tokens',
      'tensor.shape',
      model2vec({}, { embeddings: { shape: [6, 1], values: [0, 1, 2, 3, 4, 5] } }),
    ],
    [
      'fewer weights than tokens',
      'tensor.shape',
      model2vec({}, { embeddings: squares, weights: { shape: [4], values: [1, 1, 1, 1] } }),
    ],
    [
      'a mapping that leaves the table',
      'tensor.value',
      model2vec({}, { embeddings: squares, mapping: { shape: [5], values: [0, 1, 2, 3, 5], dtype: 'I64' } }),
    ],
    [
      'a negative mapping',
      'tensor.value',
      model2vec({}, { embeddings: squares, mapping: { shape: [5], values: [0, 1, 2, 3, -1], dtype: 'I64' } }),
    ],
    [
      'a mapping of fractions',
      'tensor.value',
      model2vec({}, { embeddings: squares, mapping: { shape: [5], values: [0, 1, 2, 3, 0.5] } }),
    ],
    ['a length that is no number', 'config.value', model2vec({ max_length: 'long' })],
    ['a flag that is no flag', 'config.value', model2vec({ normalize: 1 })],
    ['a config that is no object', 'config.value', { ...model2vec(), 'config.json': [] }],
  ]
  test.each(cases)('%s is %s', async (_what, code, contents) => {
    expect(await codeOf(open(contents))).toBe(code)
  })

  test('a token beyond the table is tensor.shape', async () => {
    const small = { 'embedding.weight': { shape: [2, 2], values: [0, 0, 1, 1] } }
    const table = await open({ 'modules.json': [], 'tokenizer.json': tokenizer(), 'model.safetensors': small })
    expect(await rowsOf(table, ['a'])).toEqual([[1, 1]])
    expect(await codeOf(table.embed(['a dddd']))).toBe('tensor.shape')
  })
})

describe.skipIf(!shared)('vectors of the shared tables', () => {
  interface Golden {
    source: string
    texts: [string, number][][]
    models: Record<string, number[][]>
  }

  test.each(['potion-base-4M-int8', 'glove-6B-100d-30k'])('%s are those of model2vec', async (name) => {
    const golden = goldenOf<Golden>('model/static', 'static')
    const texts = golden.texts.map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''))
    const vectors = await (await openFiles(folderFiles(sharedPath('models', name)))).embed(texts)
    for (const [i, expected] of (golden.models[name] ?? []).entries()) {
      const values = [...row(vectors, i)]
      const seen = [...values.slice(0, 8), values.reduce((sum, value) => sum + value, 0)]
      // The int8 table: the reference adds up in float32, below 1e-7 a value (seen: 6e-8), below 1e-5 for a sum of 128.
      // The float16 table: every step is rounded as NumPy rounds it, so that values are equal.
      expected.forEach((value, k) =>
        expect(Math.abs((seen[k] ?? Number.NaN) - value), `text ${i}, value ${k}`).toBeLessThan(k < 8 ? 1e-6 : 1e-5),
      )
    }
  })
})
