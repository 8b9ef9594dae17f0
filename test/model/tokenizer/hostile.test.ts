/** Tokenizer files from strangers: a fault that names the file, or a tokenizer that works – never a crash of this process, a hang, or memory without bound. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault, type FaultCode } from '#core'
import { loadTokenizer } from '#model/tokenizer'
import { shared, sharedPath } from '../../shared.ts'
import { folderFiles, memoryFiles, rejectionOf } from './made-folder.ts'
import { bpe, wordLevelJson, wordPiece, wordPieceIds, wordPieceJson } from './small-tokenizers.ts'

const open = (json: string, files: Record<string, string> = {}) => loadTokenizer(memoryFiles({ 'tokenizer.json': json, ...files }))
const refusal = (json: string, files: Record<string, string> = {}): Promise<Fault> => rejectionOf(open(json, files))
const model = wordPiece()['model'] as Record<string, unknown>
const bpeModel = bpe()['model'] as Record<string, unknown>
const split = (Regex: string) => wordPieceJson({ pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false } })
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)

const rows: readonly (readonly [string, FaultCode, RegExp])[] = [
  ['vocab-strings', 'tokenizer.invalid', /vocab/],
  ['vocab-array', 'tokenizer.invalid', /vocab/],
  ['model-null', 'tokenizer.invalid', /model/],
  ['unknown-model', 'tokenizer.invalid', /model type – Evil/],
  ['added-tokens-object', 'tokenizer.invalid', /added_tokens/],
  ['negative-id', 'tokenizer.invalid', /id – -5/],
  ['huge-id', 'tokenizer.invalid', /id – 9007199254740992/],
  ['missing-unk', 'tokenizer.invalid', /\[NOPE\]/],
  ['bad-regex', 'tokenizer.invalid', /Oniguruma error/],
]

describe.skipIf(!shared)('files of the hostile folder', () => {
  const json = (name: string): string => readFileSync(sharedPath('models', 'pico', 'hostile', 'tokenizer', `${name}.json`), 'utf8')

  test.each(rows)('%s is refused with %s', async (name, code, words) => {
    const fault = await refusal(json(name))
    expect([fault.code, words.test(fault.message)]).toEqual([code, true])
  })

  test('regex-backtracking fails on the text it cannot split, and works on others before and after', async () => {
    const tokenizer = await open(json('regex-backtracking'))
    const ids = async (): Promise<number[][]> => (await tokenizer.encodeBatch(['b a'])).map(({ ids }) => [...ids])
    const before = await ids()
    expect((await rejectionOf(tokenizer.encodeBatch([`${'a'.repeat(40)}b`]))).code).toBe('tokenizer.limit')
    expect(await ids()).toEqual(before)
  })
})

describe('a regular expression nobody knows', () => {
  test('runs in a process of its own, with the same result', async () => {
    const tokenizer = await open(split('(?:hello| )'))
    const [encoded] = await tokenizer.encodeBatch(['helloworld'], { offsets: true })
    expect([...(encoded?.ids ?? [])]).toEqual([2, 4, 5, 3])
    expect([...(encoded?.offsets ?? [])]).toEqual([0, 0, 0, 5, 5, 10, 0, 0])
    expect(await tokenizer.decode([4, 5])).toBe('hello world')
  })

  test('that is wrong is refused', async () => {
    expect(await refusal(split('((('))).toMatchObject({ code: 'tokenizer.invalid' })
  })

  test('that takes quadratic time is stopped', async () => {
    const tokenizer = await open(split('a+(?=[xy])'))
    expect((await rejectionOf(tokenizer.encodeBatch(['a'.repeat(100_000)]))).code).toBe('tokenizer.limit')
  })
})

describe('a part that makes the native core panic', () => {
  // Each of these aborts a process that hands it to tokenizers 0.23.2 unguarded.
  const panicking: readonly (readonly [string, string, string])[] = [
    ['a character map that is none', wordPieceJson({ normalizer: { type: 'Precompiled', precompiled_charsmap: 'AAAA' } }), 'a'],
    ['a decoder that strips more than there is', wordPieceJson({ decoder: { type: 'Strip', content: 'a', start: 0, stop: 9 } }), 'a'],
    [
      'a token that normalization makes empty',
      wordPieceJson({ normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '' }, added_tokens: [{ ...addedToken('  '), normalized: true }] }),
      'é é',
    ],
    [
      'an empty prefix',
      wordPieceJson({ normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '' }, { type: 'NFD' }] }, pre_tokenizer: null }),
      'é',
    ],
  ]

  test.each(panicking)('%s: the process lives, the tokenizer fails or works', async (_name, json, text) => {
    const outcome = async (): Promise<string> => {
      const tokenizer = await open(json)
      await tokenizer.encodeBatch([text])
      await tokenizer.decode([8, 8])
      return 'works'
    }
    const code = await outcome().catch((error: unknown) => (error instanceof Fault ? error.code : error))
    expect(['works', 'tokenizer.invalid', 'tokenizer.limit']).toContain(code)
  })

  test('a merge that makes no token is refused before it gets there', async () => {
    const merges = [['abc', 'abc']]
    expect(await refusal(JSON.stringify(bpe({ model: { ...bpeModel, merges } })))).toMatchObject({ code: 'tokenizer.invalid' })
  })
})

function addedToken(content: string) {
  return { id: 1, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: false }
}

describe('a malformed file', () => {
  const malformed: readonly (readonly [string, string])[] = [
    ['an empty file', ''],
    ['cut JSON', wordPieceJson().slice(0, 300)],
    ['a list', '[]'],
    ['null', 'null'],
    ['lists 200,000 deep', nested('[', ']', 200_000)],
    ['objects 100,000 deep as normalizer', wordPieceJson({ normalizer: '@' }).replace('"@"', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['another version', wordPieceJson({ version: '2.0' })],
    ['a normalizer without a type', wordPieceJson({ normalizer: { lowercase: true } })],
    ['a normalizer named like a prototype', wordPieceJson({ normalizer: { type: 'constructor' } })],
    ['a flag that is a string', wordPieceJson({ normalizer: { type: 'Strip', strip_left: 'yes', strip_right: true } })],
    ['an unknown behaviour', wordPieceJson({ pre_tokenizer: { type: 'Punctuation', behavior: 'Explode' } })],
    ['an empty pattern', wordPieceJson({ pre_tokenizer: { type: 'Split', pattern: { String: '' }, behavior: 'Isolated', invert: false } })],
    ['two patterns', wordPieceJson({ pre_tokenizer: { type: 'Split', pattern: { String: 'a', Regex: 'b' }, behavior: 'Isolated', invert: false } })],
    ['chunks of no length', wordPieceJson({ pre_tokenizer: { type: 'FixedLength', length: 0 } })],
    ['a separator of two characters', wordPieceJson({ pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: 'ab' } })],
    ['an added token without flags', wordPieceJson({ added_tokens: [{ id: 0, content: 'x' }] })],
    ['an added token with a huge id', wordPieceJson({ added_tokens: [{ ...addedToken('x'), id: 2 ** 31 }] })],
    ['a fractional id', wordPieceJson({ model: { ...model, vocab: { '[UNK]': 0.5 } } })],
    ['merges of three', JSON.stringify(bpe({ model: { ...bpeModel, merges: ['a b c'] } }))],
    ['a score that is a string', JSON.stringify(bpe({ model: { type: 'Unigram', unk_id: 0, vocab: [['a', '0']] } }))],
    ['an unknown id outside the vocabulary', JSON.stringify(bpe({ model: { type: 'Unigram', unk_id: 1, vocab: [['a', 0]] } }))],
    [
      'a template with a second text for one',
      wordPieceJson({ post_processor: { type: 'TemplateProcessing', single: [{ Sequence: { id: 'B', type_id: 0 } }], pair: [], special_tokens: {} } }),
    ],
    [
      'a template with an unknown token',
      wordPieceJson({ post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: 'x', type_id: 0 } }], pair: [], special_tokens: {} } }),
    ],
    [
      'two templates',
      wordPieceJson({ post_processor: { type: 'Sequence', processors: [1, 2].map(() => ({ type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] })) } }),
    ],
    ['no vocabulary', wordLevelJson({ model: { type: 'WordLevel', unk_token: 'x' } })],
  ]

  test.each(malformed)('is refused: %s', async (_name, json) => {
    expect((await refusal(json)).code).toBe('tokenizer.invalid')
  })

  test('that would grow without bound is refused', async () => {
    const doubling = Array.from({ length: 40 }, () => ({ type: 'Replace', pattern: { String: 'a' }, content: 'aa' }))
    const deep = JSON.parse(`${'{"type":"Sequence","normalizers":['.repeat(100)}${']}'.repeat(100)}`) as unknown
    const wide = {
      type: 'TemplateProcessing',
      single: Array.from({ length: 100 }, () => ({ Sequence: { id: 'A', type_id: 0 } })),
      pair: [],
      special_tokens: {},
    }
    for (const changes of [{ normalizer: { type: 'Sequence', normalizers: doubling } }, { normalizer: deep }, { post_processor: wide }]) {
      expect((await refusal(wordPieceJson(changes))).code).toBe('tokenizer.limit')
    }
  })

  test('that is a Git LFS pointer says so', async () => {
    expect((await refusal('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n')).code).toBe('format.lfs')
  })

  test.each(['tokenizer_config.json', 'special_tokens_map.json', 'added_tokens.json'])('beside a good one is refused: %s', async (name) => {
    for (const text of ['{', '[1]', nested('[', ']', 200_000)]) expect((await refusal(wordPieceJson(), { [name]: text })).code).toBe('tokenizer.invalid')
  })

  test('whose added token ids are not ids is refused', async () => {
    expect((await refusal(wordPieceJson(), { 'added_tokens.json': '{"x": -1}' })).code).toBe('tokenizer.invalid')
    expect((await refusal(wordPieceJson(), { 'tokenizer_config.json': '{"added_tokens_decoder": {"1e3": {"content": "x"}}}' })).code).toBe('tokenizer.invalid')
  })

  test('config.json is another room’s to judge', async () => {
    expect((await open(wordPieceJson(), { 'config.json': '{' })).vocabularySize).toBe(15)
  })
})

describe('no tokenizer', () => {
  const missing: readonly (readonly [string, Record<string, string>, string])[] = [
    ['nothing at all', {}, 'no tokenizer'],
    ['a SentencePiece model', { 'tokenizer.model': '', 'tokenizer_config.json': '{"tokenizer_class":"LlamaTokenizer"}' }, 'SentencePiece'],
    ['spiece.model', { 'spiece.model': '', 'config.json': '{"model_type":"t5"}' }, 'SentencePiece'],
    ['sentencepiece.bpe.model', { 'sentencepiece.bpe.model': '' }, 'SentencePiece'],
    ['a tiktoken vocabulary', { 'qwen.tiktoken': '', 'tokenizer_config.json': '{"tokenizer_class":"QWenTokenizer"}' }, 'tiktoken'],
    ['tekken', { 'tekken.json': '{}' }, 'tiktoken'],
    ['another kind of vocab.txt', { 'vocab.txt': 'a\n', 'tokenizer_config.json': '{"tokenizer_class":"EsmTokenizer"}' }, 'another kind (EsmTokenizer)'],
    ['merges without a vocabulary', { 'merges.txt': '' }, 'another kind'],
  ]

  test.each(missing)('of a kind that can be read: %s', async (_name, files, words) => {
    const fault = await rejectionOf(loadTokenizer(memoryFiles(files)))
    expect([fault.code, fault.hint?.includes('save_pretrained')]).toEqual(['tokenizer.missing', true])
    expect(fault.message).toContain(words)
  })

  test('a vocab.txt without the tokens it needs is refused', async () => {
    const files = memoryFiles({ 'vocab.txt': 'hello\nworld\n', 'tokenizer_config.json': '{"tokenizer_class":"BertTokenizer"}' })
    expect(await rejectionOf(loadTokenizer(files))).toMatchObject({ code: 'tokenizer.invalid', parts: { seen: '[UNK]' } })
  })
})

/** Flips some bytes of a text, or cuts it. */
const damage = fc.oneof(
  fc.record({ cut: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    flips: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
  }),
)

type Damage = { cut: number } | { flips: [number, number][] }

function damaged(text: string, how: Damage): string {
  const bytes = Buffer.from(text)
  if ('cut' in how) return bytes.subarray(0, Math.floor(how.cut * bytes.length)).toString('utf8')
  for (const [where, by] of how.flips) {
    const at = Math.floor(where * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ by
  }
  return bytes.toString('utf8')
}

async function verdict(json: string, files: Record<string, string> = {}): Promise<unknown> {
  try {
    const tokenizer = await open(json, files)
    await tokenizer.encodeBatch(['', 'hello wörld', '[CLS] 中文 abc ', '\u0301\u200b', 'a'.repeat(300)], { offsets: true, maxLength: 50 })
    await tokenizer.decode([0, 1, 2, 3, 14, 900])
    return 'works'
  } catch (error) {
    return error instanceof Fault ? error.code : error
  }
}

describe('a good file with bytes flipped or cut off', () => {
  const fine = ['works', 'tokenizer.invalid', 'tokenizer.limit', 'format.lfs']
  const small = [wordPieceJson(), wordLevelJson(), JSON.stringify(bpe())] as const

  test('is refused with a fault or works', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...small), damage, async (json, how) => {
        expect(fine).toContain(await verdict(damaged(json, how)))
      }),
      { seed: 7, numRuns: 400 },
    )
  })

  test('as tokenizer_config.json is refused with a fault or works', async () => {
    const config = JSON.stringify({
      tokenizer_class: 'BertTokenizer',
      mask_token: { content: '[MASK]', lstrip: true },
      added_tokens_decoder: { 15: { content: '<x>', special: true } },
    })
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        expect(fine).toContain(await verdict(small[0], { 'tokenizer_config.json': damaged(config, how) }))
      }),
      { seed: 7, numRuns: 150 },
    )
  })

  const names = ['wordpiece', 'byte-bpe', 'unigram', 'llama-bpe', 'chat-bpe']

  test.skipIf(!shared).each(names)('is refused with a fault or works: pico %s', async (name) => {
    const files = folderFiles(sharedPath('models', 'pico', 'tokenizers', name))
    const json = await files.text('tokenizer.json')
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        expect(fine).toContain(await verdict(damaged(json, how)))
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})

test('a vocabulary may name anything, prototypes included', async () => {
  const vocab = { ...wordPieceIds, constructor: 15, toString: 16 }
  const tokenizer = await open(wordPieceJson({ model: { ...model, vocab }, normalizer: null, pre_tokenizer: { type: 'WhitespaceSplit' } }))
  const [encoded] = await tokenizer.encodeBatch(['constructor toString valueOf'], { addSpecialTokens: false })
  expect([...(encoded?.ids ?? [])]).toEqual([15, 16, 1])
})
