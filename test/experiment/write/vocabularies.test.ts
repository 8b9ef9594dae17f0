import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMergeFile } from '#experiment/open'
import { writeMerge } from '#experiment/write'
import { narrow, openTensors, widen, writeSafetensors } from '#files/formats'
import { loadTokenizer } from '#model/tokenizer'
import { hasVocabularyRows, roleByName } from '../../../src/model/architectures/tensor-roles.ts'
import { memoryFiles } from '../../model/tokenizer/made-folder.ts'
import { temporaryFolder } from '../../model/merge/models.ts'
import { goldenOf } from '../../golden-of.ts'

interface TokenizerFile {
  model: { vocab: Record<string, number>; merges: [string, string][] }
  added_tokens: {
    id: number
    content: string
    special: boolean
    normalized: boolean
    lstrip: boolean
    rstrip: boolean
  }[]
}

interface Golden {
  models: Record<
    string,
    { config: Record<string, unknown>; tokenizer?: TokenizerFile; tensors: Record<string, number[] | number[][]> }
  >
  cases: {
    name: string
    recipe: string
    vocabulary: Record<string, number>
    flags: Record<string, boolean[]>
    pieces: Record<string, string[]>
    vocab_size: number
    tensors: Record<string, number[][]>
  }[]
}

/** mergekit 0.1.5 on torch 2.15.0, transformers 5.23.0: oracles/merge_vocabularies.py. */
const golden = goldenOf<Golden>('experiment/write', 'vocabularies')

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  for (const name of Object.keys(golden.models)) await written(name, name)
  return () => root.remove()
})

interface Changes {
  config?: Record<string, unknown>
  tokenizer?: unknown
  files?: Record<string, string>
}

async function written(
  name: string,
  folder: string,
  { config = {}, tokenizer, files = {} }: Changes = {},
): Promise<void> {
  const { config: own, tokenizer: tokens, tensors } = golden.models[name]!
  await mkdir(join(root.path, folder), { recursive: true })
  const stored = Object.entries(tensors).map(([tensor, rows]) => ({
    name: tensor,
    dtype: 'F32' as const,
    shape: Array.isArray(rows[0]) ? [rows.length, rows[0].length] : [rows.length],
    bytes: narrow(Float32Array.from(rows.flat()), 'F32'),
  }))
  await writeSafetensors(join(root.path, folder, 'model.safetensors'), stored, { format: 'pt' })
  const texts = {
    'config.json': JSON.stringify({ ...own, ...config }),
    ...(tokens === undefined
      ? {}
      : {
          'tokenizer.json': JSON.stringify(tokenizer ?? tokens),
          'tokenizer_config.json': '{"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<s>"}',
        }),
    ...files,
  }
  for (const [file, text] of Object.entries(texts)) await writeFile(join(root.path, folder, file), text)
}

let count = 0
async function merged(
  recipe: string,
): Promise<{ out: string; json: (file: string) => Promise<Record<string, unknown>>; notes: readonly string[] }> {
  const [path, out] = [join(root.path, `recipe-${count}.yml`), join(root.path, `out-${count++}`)]
  await writeFile(path, recipe.replaceAll('$', `${root.path}/`))
  const opened = await openMergeFile(path)
  onTestFinished(() => opened.close())
  const { notes } = await writeMerge(opened, out, { threads: 1 })
  return {
    out,
    notes,
    json: async (file) => JSON.parse(await readFile(join(out, file), 'utf8')) as Record<string, unknown>,
  }
}

async function rowsOf(out: string, tensor: string): Promise<number[][]> {
  const tensors = await openTensors(join(out, 'model.safetensors'))
  onTestFinished(() => tensors.close())
  const values = widen(await tensors.read(tensor), 'F32')
  return Array.from({ length: values.length / 2 }, (_, row) => [values[2 * row]!, values[2 * row + 1]!])
}

async function texts(folder: string): Promise<Record<string, string>> {
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

const linear = (more: string, models = ['base', 'other']): string =>
  `merge_method: linear\nbase_model: $${models[0]}\nmodels:\n${models.map((model) => `  - {model: $${model}, parameters: {weight: 0.5}}\n`).join('')}${more}`

describe('vocabularies are joined as mergekit 0.1.5 joins them', () => {
  test.each(golden.cases)('$name', async ({ recipe, vocabulary, flags, pieces, vocab_size: size, tensors }) => {
    const { out, json } = await merged(recipe)
    const { model, added_tokens: added } = (await json('tokenizer.json')) as unknown as TokenizerFile
    const ids = { ...model.vocab, ...Object.fromEntries(added.map(({ content, id }) => [content, id])) }
    expect(ids).toEqual(vocabulary)
    expect(
      Object.fromEntries(
        added.map(({ content, special, normalized, lstrip, rstrip }) => [
          content,
          [special, normalized, lstrip, rstrip],
        ]),
      ),
    ).toEqual(flags)
    expect((await json('config.json'))['vocab_size']).toBe(size)
    for (const [name, rows] of Object.entries(tensors)) {
      const own = await rowsOf(out, name)
      expect(own.length).toBe(size)
      // float32: the mean of ten rows is a sum in another order there; all others are exact
      own.forEach((row, id) =>
        row.forEach((value, i) =>
          expect(Math.abs(value - rows[id]![i]!), `${name}[${id}]`).toBeLessThanOrEqual(
            id < Object.keys(vocabulary).length ? 0 : 1e-7,
          ),
        ),
      )
    }
    const tokenizer = await loadTokenizer(memoryFiles(await texts(out)))
    const encoded = await tokenizer.encodeBatch(Object.keys(pieces))
    const names = new Map(Object.entries(ids).map(([token, id]) => [id, token]))
    expect(encoded.map((one) => [...one.ids].map((id) => names.get(id)))).toEqual(Object.values(pieces))
  })
})

describe('where mergekit 0.1.5 stops or goes wrong', () => {
  test('pieces without a row are left out, with the merges that need or make them', async () => {
    // ids 4 (ab) and 5 (<s>) have no row
    await written('base', 'short', { config: { vocab_size: 4 } })
    const { out, json } = await merged(linear('tokenizer_source: base\n', ['short', 'other']))
    const { model, added_tokens: added } = (await json('tokenizer.json')) as unknown as TokenizerFile
    expect([model.vocab, model.merges, added]).toEqual([{ '<unk>': 0, a: 1, b: 2, c: 3 }, [], []])
    expect((await json('config.json'))['vocab_size']).toBe(4)
    expect(await rowsOf(out, 'lm_head.weight')).toHaveLength(4)
  })

  test('special ids follow their token into another model’s vocabulary, in both configs', async () => {
    const generation = { eos_token_id: [5, 4], pad_token_id: 0, max_length: 20 }
    await written('base', 'talking', {
      config: { pad_token_id: 0 },
      files: { 'generation_config.json': JSON.stringify(generation) },
    })
    const { json } = await merged(linear('tokenizer_source: $other\n', ['talking', 'other']))
    // there <s> is 6 and ab is 5; nothing is <unk>, and the other model names no padding
    expect(await json('config.json')).toMatchObject({ eos_token_id: 6, pad_token_id: null })
    expect(await json('generation_config.json')).toEqual({ eos_token_id: [6, 5], pad_token_id: null, max_length: 20 })
  })

  test('a folder that holds a tokenizer alone lends it', async () => {
    const lone = join(root.path, 'lone')
    await mkdir(lone, { recursive: true })
    await writeFile(join(lone, 'tokenizer.json'), JSON.stringify(golden.models['other']!.tokenizer))
    const alone = await merged(linear('tokenizer_source: $lone\n', ['base', 'bare']))
    const whole = await merged(linear('tokenizer_source: $other\n', ['base', 'bare']))
    expect(await alone.json('tokenizer.json')).toEqual(await whole.json('tokenizer.json'))
    expect(await rowsOf(alone.out, 'lm_head.weight')).toEqual(await rowsOf(whole.out, 'lm_head.weight'))
  })

  test('a config in parts is put right where it says how many tokens and layers there are', async () => {
    const part = { vocab_size: 6, num_hidden_layers: 2, layer_types: ['full', 'sliding'], eos_token_id: 5 }
    await written('base', 'parts', {
      config: { vocab_size: undefined, num_hidden_layers: undefined, text_config: part },
    })
    const { json } = await merged(
      golden.cases.find(({ name }) => name === 'stacked')!.recipe.replaceAll('$base', '$parts'),
    )
    const { text_config: text, ...config } = await json('config.json')
    expect(text).toEqual({
      vocab_size: 8,
      num_hidden_layers: 3,
      layer_types: ['full', 'sliding', 'sliding'],
      eos_token_id: 5,
    })
    expect(config).not.toHaveProperty('vocab_size')
  })

  test('a model without a tokenizer is named in the notes', async () => {
    const { notes } = await merged(linear('tokenizer_source: union\n', ['base', 'bare']))
    expect(notes.join()).toMatch(/bare has no tokenizer/)
  })

  test('rows that no model of a tensor has are zeros and are told', async () => {
    const recipe = golden.cases.find(({ name }) => name === 'stacked')!.recipe
    const { notes } = await merged(recipe)
    expect(notes).toContain(
      'model.embed_tokens.weight: 2 tokens of the output are in no model it is made of, their rows are zero',
    )
  })

  test('a vocabulary in an older form, and tokens that only the settings name, take part', async () => {
    await written('bare', 'oldest', {
      config: { model_type: 'gpt2' },
      files: {
        'vocab.json': '{"<unk>": 0, "a": 1, "b": 2, "c": 3, "ab": 4}',
        'merges.txt': '#version: 0.2\na b\n',
        'tokenizer_config.json':
          '{"tokenizer_class": "GPT2Tokenizer", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "<s>"}',
      },
    })
    const { out, json } = await merged(linear('tokenizer_source: union\n', ['oldest', 'other']))
    const { added_tokens: added } = (await json('tokenizer.json')) as unknown as TokenizerFile
    expect(added.map(({ id, content }) => [id, content])).toEqual([
      [0, '<unk>'],
      [5, '<s>'],
      [6, '<x>'],
      [7, 'bc'],
      [8, '<y>'],
    ])
    // rows of <s>: 5 here, 6 there
    const [own, other] = ['oldest', 'other'].map(
      (name) => golden.models[name === 'oldest' ? 'bare' : name]!.tensors['lm_head.weight'] as number[][],
    )
    expect((await rowsOf(out, 'lm_head.weight'))[5]).toEqual(own![5]!.map((value, i) => (value + other![6]![i]!) / 2))
  })

  test('older forms of the donor’s vocabulary do not lie beside the joined one', async () => {
    await written('base', 'older', { files: { 'vocab.json': '{"a": 0}', 'merges.txt': '', 'added_tokens.json': '{}' } })
    const { out } = await merged(linear('tokenizer_source: union\n', ['older', 'other']))
    expect((await readdir(out)).filter((name) => /^(vocab|merges|added_tokens)/.test(name))).toEqual([])
  })

  test.each([
    [
      'a row beyond the source’s',
      'tokenizer: {tokens: {"<n>": {source: {kind: model_token, model: $other, token_id: 9}}}}\n',
      'the source has no such row',
    ],
    [
      'a token that the source lacks',
      'tokenizer: {tokens: {"<n>": {source: {kind: model_token, model: $base, token: "<y>"}}}}\n',
      'the source has no such token',
    ],
    ['a token nothing is said of', 'tokenizer: {tokens: {"<n>": {}}}\n', 'no model has this token'],
    [
      'a tokenizer of nobody',
      'tokenizer_source: $nobody\n',
      'neither one of the models nor a model that can be opened',
    ],
  ])('%s stops the plan', async (_, more, what) => {
    await expect(merged(linear(more))).rejects.toMatchObject({ code: 'usage.value', parts: { what } })
  })

  test('a source that a tensor is not made of stops the plan', async () => {
    const stacked = golden.cases
      .find(({ name }) => name === 'stacked')!
      .recipe.replace('tokenizer_source: union\n', 'tokenizer: {tokens: {"<x>": {source: $two}}}\n')
    await expect(merged(stacked)).rejects.toMatchObject({ code: 'usage.value', parts: { seen: 'input 2' } })
  })
})

test.each([
  // Llama, Phi, GPT-NeoX, BERT, RoBERTa, ModernBERT, DistilBERT, ELECTRA, ALBERT, T5, Mamba, Whisper, as transformers
  // names them
  [
    true,
    [
      'model.embed_tokens.weight',
      'lm_head.weight',
      'gpt_neox.embed_in.weight',
      'embed_out.weight',
      'cls.predictions.decoder.weight',
      'lm_head.decoder.weight',
    ],
  ],
  [
    true,
    [
      'decoder.weight',
      'vocab_projector.weight',
      'generator_lm_head.weight',
      'predictions.decoder.weight',
      'shared.weight',
      'backbone.embeddings.weight',
      'proj_out.weight',
    ],
  ],
  [
    false,
    [
      'model.layers.0.mlp.down_proj.weight',
      'layers.0.attention.output.weight',
      'transformer.wpe.weight',
      'classifier.weight',
      'cls.seq_relationship.weight',
    ],
  ],
])('whether a tensor has a row for each token: %s', (wanted, names) => {
  expect(names.filter((name) => hasVocabularyRows(roleByName(name), [40, 8], 40))).toEqual(wanted ? names : [])
  expect(names.filter((name) => hasVocabularyRows(roleByName(name), [39, 8], 40))).toEqual([])
})

test('biases of heads have one, too', () => {
  const biases = [
    'lm_head.bias',
    'cls.predictions.bias',
    'cls.predictions.decoder.bias',
    'lm_head.decoder.bias',
    'decoder.bias',
    'vocab_projector.bias',
    'predictions.bias',
  ]
  const others = ['classifier.bias', 'lm_head.dense.bias', 'encoder.layers.0.decoder.bias']
  expect([...biases, ...others].filter((name) => hasVocabularyRows(roleByName(name), [40], 40))).toEqual(biases)
})
