/**
 * Whatever can move a number is in the key it is kept under. Every file of a model folder and every option is changed,
 * one at a time, on one cache and one folder of results:
 * what comes out is bit by bit what comes out with neither, and where the vectors have moved, so has the fingerprint.
 * `STRATA_NIGHTLY=1` tries every change (some 1,300, seven minutes); otherwise one in forty, drawn with a seed, every
 * option in one folder, and one change of every kind each time.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Fault, type Result } from '#core'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { evaluate } from '#experiment/sweep'
import { openRepresentation } from '#representation/layers'
import { openStore } from '#platform/vectors'
import { randomState } from '#platform/random'
import { nightly } from '../../nightly.ts'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()
const texts = [
  'A man is playing a guitar.',
  'Someone makes Music',
  'the market fell',
  'The market FELL',
  'she bakes bread, and bread, and bread again',
  '',
]
file(
  'pairs.csv',
  'first,second,rating\na man plays guitar,someone makes music,4.1\nthe market fell,stocks went down,4.5\nshe bakes bread,the market fell,0.3\n',
)
const task = file(
  'task.yaml',
  'name: MyPairs\ntype: STS\nlanguages: [eng-Latn]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
)

interface Answer {
  /** Bits of the vectors of `default` and h1, or the code of the fault. */
  readonly bits: string
  readonly fingerprint: string
  readonly scores: string
}

/** What a folder answers, with what is kept in `kept`, or with nothing kept. */
async function ask(folder: string, options: OpenModelOptions, kept: string | undefined): Promise<Answer> {
  const fresh = path(`fresh-${String(counter++)}`)
  const at = kept ?? fresh
  try {
    const model = await openModel(folder, { ...options, store: openStore(join(at, 'vectors')) })
    try {
      const matrices = []
      for (const representation of [{ kind: 'default' } as const, { kind: 'state', h: 1 } as const]) {
        const embedder = await openRepresentation(model, representation, { keep: 'all' })
        matrices.push((await embedder.embed(texts)).data)
      }
      const [result] = await evaluate(model, { tasks: [task], outputFolder: join(at, 'results') })
      return {
        bits: matrices.map((data) => Buffer.from(data.buffer).toString('hex')).join(' '),
        fingerprint: result?.strata.fingerprint ?? '',
        scores: scoresOf(result),
      }
    } finally {
      await model.close()
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error
    return { bits: error.code, fingerprint: '', scores: '' }
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
let counter = 0

function scoresOf(result: Result | undefined): string {
  return JSON.stringify([result?.strata.status, result?.strata.code, result?.scores])
}

type Change = readonly [what: string, apply: (folder: string) => void]

/** Leaves of a JSON value as paths; of long lists and tables only some, drawn with a seed. */
function leavesOf(value: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const entries = Object.entries(value)
  const drawn =
    entries.length <= 24
      ? entries
      : Array.from(randomState(7).permutation(entries.length).slice(0, 4), (at) => entries[at] ?? (['', null] as const))
  return drawn.flatMap(([name, inner]) => leavesOf(inner, [...at, Array.isArray(value) ? Number(name) : name]))
}

/** Another value of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value * 1.5
  if (typeof value === 'boolean') return !value
  return typeof value === 'string' ? (otherWords[value] ?? `${value}x`) : 1
}
const otherWords: Readonly<Record<string, string>> = {
  gelu: 'relu',
  silu: 'gelu',
  relu: 'gelu',
  right: 'left',
  left: 'right',
  absolute: 'relative_key',
  cosine: 'dot',
  mean: 'max',
}

function withLeaf(
  value: unknown,
  [first, ...rest]: readonly (string | number)[],
  make: (leaf: unknown) => unknown,
): unknown {
  if (first === undefined) return make(value)
  if (Array.isArray(value))
    return value.flatMap((inner: unknown, i) => (i === first ? keep(withLeaf(inner, rest, make)) : [inner]))
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).flatMap(([name, inner]) =>
      name === String(first) ? keep(withLeaf(inner, rest, make)).map((one) => [name, one]) : [[name, inner]],
    ),
  )
}
/** What is made undefined is left out. */
function keep(value: unknown): unknown[] {
  return value === undefined ? [] : [value]
}

function changesOf(folder: string): Change[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !name.startsWith('golden'),
  )
  return files.flatMap((name): Change[] => {
    const gone: Change = [`${name} is removed`, (target) => rmSync(join(target, name))]
    if (name.endsWith('.json')) {
      const value = JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown
      const write = (target: string, changed: unknown): void =>
        writeFileSync(join(target, name), JSON.stringify(changed))
      return [
        gone,
        ...leavesOf(value).flatMap((leaf): Change[] => [
          [`${name}: ${leaf.join('.')} is another`, (target) => write(target, withLeaf(value, leaf, other))],
          [
            `${name}: ${leaf.join('.')} is left out`,
            (target) =>
              write(
                target,
                withLeaf(value, leaf, () => undefined),
              ),
          ],
        ]),
      ]
    }
    const bytes = readFileSync(join(folder, name))
    const places = randomState(11).permutation(bytes.length).slice(0, 6)
    return [
      gone,
      ...Array.from(places, (at): Change => [
        `${name}: a bit of byte ${String(at)} is another`,
        (target) => {
          const changed = Buffer.from(bytes)
          changed[at] = (changed[at] ?? 0) ^ 64
          writeFileSync(join(target, name), changed)
        },
      ]),
    ]
  })
}

/** One of so many, in a seeded order. */
function some<T>(list: readonly T[], of: number): T[] {
  const order = randomState(3).permutation(list.length)
  return Array.from(order.slice(0, Math.ceil(list.length / of)), (at) => list[at]).filter((one) => one !== undefined)
}

const options: readonly OpenModelOptions[] = [
  { architecture: 'roberta' },
  { architecture: 'llama' },
  { pooling: 'cls' },
  { pooling: 'max' },
  { pooling: 'lasttoken' },
  { pooling: 'weightedmean' },
  { pooling: 'mean_sqrt_len_tokens' },
  { maxLength: 4 },
  { maxLength: 8 },
  { finalNorm: 'native' },
  { finalNorm: 'always' },
  { prompt: 'query: ' },
  { prompt: 'Query: ' },
  { promptName: 'query' },
  { chat: true },
  { threads: 1 },
  { dtype: 'int8' },
]

let tried = 0
let moved = 0
let refused = 0
afterAll(
  () =>
    void process.stdout.write(
      `the law of keys: ${String(tried)} changes, ${String(moved)} moved vectors, ${String(refused)} were refused\n`,
    ),
)

const folders = ['mean-normalize', 'cls-dense', 'lasttoken-qwen2', 'mean-max-dense-bin', 'weightedmean-neox']

describe.skipIf(!shared)('one at a time', () => {
  test.each(folders)('in %s', { timeout: 600_000 }, async (name) => {
    const original = sharedPath('models', 'pico', 'sentence-transformers', name)
    const kept = path(`kept-${name}`)
    const before = await ask(original, {}, kept)
    expect(before.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    const wrong: string[] = []
    const hold = async (what: string, folder: string, given: OpenModelOptions): Promise<void> => {
      const fresh = await ask(folder, given, undefined)
      const after = await ask(folder, given, kept)
      tried++
      if (fresh.fingerprint === '') refused++
      else if (fresh.bits !== before.bits) {
        moved++
        if (fresh.fingerprint === before.fingerprint) wrong.push(`${what}: other vectors, the same fingerprint`)
      }
      if (after.bits !== fresh.bits) wrong.push(`${what}: what is kept is not what is computed`)
      if (after.scores !== fresh.scores) wrong.push(`${what}: the result that is kept is not the one that is computed`)
    }
    const share = nightly ? 1 : 40
    for (const [what, apply] of some(changesOf(original), share)) {
      // The same name, as a folder that was edited in place has.
      const folder = path(join('changed', name))
      if (existsSync(folder)) rmSync(folder, { recursive: true })
      mkdirSync(folder, { recursive: true })
      cpSync(original, folder, { recursive: true })
      apply(folder)
      await hold(what, folder, {})
    }
    // every option is tried, each in one of the folders; at night in all of them
    const at = folders.indexOf(name)
    for (const given of options.filter((_, i) => nightly || i % folders.length === at))
      await hold(JSON.stringify(given), original, given)
    expect(wrong).toEqual([])
  })
})

describe('one change of every kind, each time', () => {
  const special = { pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]' }
  const settings = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    ...special,
    chat_template: '{{ sep_token }} a {{ messages[0].content }}',
  }
  const added = Object.values(special).map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }))
  const vocab = { '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, a: 4, man: 5, the: 6 }
  const modules = ['Transformer', 'Pooling', 'Dense'].map((name, idx) => ({
    idx,
    name: '',
    path: ['', '1_Pooling', '2_Dense'][idx],
    type: `sentence_transformers.models.${name}`,
  }))
  const dense = (first: number) => ({
    'linear.weight': { shape: [4, 4], values: [first, 0, 0, 1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 3, 1] },
  })
  const parts: Readonly<Record<string, object>> = {
    'tokenizer.json': {
      added_tokens: added,
      model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
      post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    },
    'tokenizer_config.json': settings,
    'modules.json': modules,
    'sentence_bert_config.json': { max_seq_length: 12 },
    'config_sentence_transformers.json': { prompts: { own: 'the man ' } },
    '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true, include_prompt: false },
    '2_Dense/config.json': {
      in_features: 4,
      out_features: 4,
      bias: false,
      activation_function: 'torch.nn.modules.linear.Identity',
    },
    '2_Dense/model.safetensors': dense(1),
  }
  const made = (folder: string, changed: Readonly<Record<string, object>>): Promise<string> => {
    const laid = Object.entries(changed).map(
      ([name, file]) => [name, Array.isArray(file) ? file : { ...parts[name], ...file }] as const,
    )
    return writeSmallModel(folder, { ...parts, ...Object.fromEntries(laid) })
  }
  const prompt = { prompt: 'a man ' }
  const tokens = (changed: object): Readonly<Record<string, object>> => ({ 'tokenizer_config.json': changed })

  test.each<[what: string, Readonly<Record<string, object>>, under?: OpenModelOptions, to?: OpenModelOptions]>([
    ['config.json', { 'config.json': { layer_norm_eps: 0.1 } }],
    ['weights', { 'model.safetensors': { 'embeddings.LayerNorm.bias': { shape: [4], values: [1, 0, 0, 0] } } }],
    [
      'the vocabulary',
      { 'tokenizer.json': { model: { type: 'WordLevel', vocab: { ...vocab, man: 6, the: 5 }, unk_token: '[UNK]' } } },
    ],
    [
      'the template of special tokens',
      { 'tokenizer.json': { post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[PAD]', 0] } } },
    ],
    ['the side that is cut', tokens({ truncation_side: 'left' }), { maxLength: 4 }],
    ['the pooling', { '1_Pooling/config.json': { pooling_mode_mean_tokens: false, pooling_mode_max_tokens: true } }],
    ['the longest input', { 'sentence_bert_config.json': { max_seq_length: 4 } }],
    ['lower case', { 'sentence_bert_config.json': { do_lower_case: true } }],
    ['weights of a module', { '2_Dense/model.safetensors': dense(5) }],
    ['include_prompt', { '1_Pooling/config.json': { include_prompt: true } }, prompt],
    ['a prompt by name', { 'config_sentence_transformers.json': { prompts: { own: 'man ' } } }, { promptName: 'own' }],
    ['the chat template', tokens({ chat_template: '{{ sep_token }} the {{ messages[0].content }}' }), { chat: true }],
    ['a special token in it', tokens({ sep_token: '[CLS]' }), { chat: true }],
    ['which tokens close a prompt that is not pooled', tokens({ sep_token: '[CLS]' }), prompt],
    ['--pooling', {}, {}, { pooling: 'max' }],
    ['--max-length', {}, {}, { maxLength: 4 }],
    ['--prompt', {}, prompt, { prompt: 'the man ' }],
    ['--prompt-name', {}, {}, { promptName: 'own' }],
    ['--chat', {}, {}, { chat: true }],
    ['--architecture', {}, {}, { architecture: 'roberta' }],
    ['--dtype', {}, {}, { dtype: 'int8' }],
  ])('%s', async (what, changed, under = {}, to = under) => {
    const [folder, kept] = [path('of-every-kind'), path(`kept-${what}`)]
    const before = await ask(await made(folder, {}), under, kept)
    await made(folder, changed)
    const [fresh, after] = [await ask(folder, to, undefined), await ask(folder, to, kept)]
    expect(before.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(fresh.bits).not.toBe(before.bits)
    expect(after).toEqual(fresh)
    expect(fresh.fingerprint).not.toBe(before.fingerprint)
  })
})
