/**
 * Tokenizer files from strangers: a fault that names the file, or a tokenizer that works – never a crash of this
 * process, a hang, or memory without bound.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault, type FaultCode } from '#core'
import { loadTokenizer } from '#model/tokenizer'
import { shared, sharedPath } from '../../shared.ts'
import { folderFiles, memoryFiles, rejectionOf } from './made-folder.ts'
import { bpe, wordLevelJson, wordPiece, wordPieceIds, wordPieceJson } from './small-tokenizers.ts'

const open = (json: string, files: Record<string, string> = {}) =>
  loadTokenizer(memoryFiles({ 'tokenizer.json': json, ...files }))
const refusal = (json: string, files: Record<string, string> = {}): Promise<Fault> => rejectionOf(open(json, files))
const model = wordPiece()['model'] as Record<string, unknown>
const bpeModel = bpe()['model'] as Record<string, unknown>
const split = (Regex: string) =>
  wordPieceJson({ pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false } })
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
  const json = (name: string): string =>
    readFileSync(sharedPath('models', 'pico', 'hostile', 'tokenizer', `${name}.json`), 'utf8')

  test.each(rows)('%s is refused with %s', async (name, code, words) => {
    const fault = await refusal(json(name))
    expect([fault.code, words.test(fault.message)]).toEqual([code, true])
  })

  test('regex-backtracking fails on the text it cannot split, and works on others before and after', async () => {
    const tokenizer = await open(json('regex-backtracking'))
    const ids = async (): Promise<number[][]> => (await tokenizer.encodeBatch(['b a'])).map(({ ids }) => [...ids])
    const before = await ids()
    const fault = await rejectionOf(tokenizer.encodeBatch([`${'a'.repeat(40)}b`]))
    expect([fault.code, fault.message]).toEqual([
      'tokenizer.limit',
      expect.stringContaining('Regex search error: retry-limit-in-match over'),
    ])
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
    expect(await refusal(split('((('))).toMatchObject({
      code: 'tokenizer.invalid',
      message: expect.stringContaining('Oniguruma error') as string,
    })
  })

  test('that takes quadratic time is stopped', async () => {
    const tokenizer = await open(split('a+(?=[xy])'))
    const fault = await rejectionOf(tokenizer.encodeBatch(['a'.repeat(100_000)]))
    // Which of the two comes first depends on the machine.
    expect([fault.code, fault.message]).toEqual([
      'tokenizer.limit',
      expect.stringMatching(/tokenizer\.json: the (?:native tokenizer gave up: .*limit|tokenizer takes too long)/),
    ])
  })
})

describe('a part that makes the native core panic', () => {
  // Each of these aborts a process that hands it to tokenizers 0.23.2 unguarded.
  const panicking: readonly (readonly [string, string, string])[] = [
    [
      'a character map that is none',
      wordPieceJson({ normalizer: { type: 'Precompiled', precompiled_charsmap: 'AAAA' } }),
      'a',
    ],
    [
      'a decoder that strips more than there is',
      wordPieceJson({ decoder: { type: 'Strip', content: 'a', start: 0, stop: 9 } }),
      'a',
    ],
    [
      'a token that normalization makes empty',
      wordPieceJson({
        normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '' },
        added_tokens: [{ ...addedToken('  '), normalized: true }],
      }),
      'é é',
    ],
    [
      'an empty prefix',
      wordPieceJson({
        normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '' }, { type: 'NFD' }] },
        pre_tokenizer: null,
      }),
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
    expect(await refusal(JSON.stringify(bpe({ model: { ...bpeModel, merges } })))).toMatchObject({
      code: 'tokenizer.invalid',
    })
  })
})

function addedToken(content: string) {
  return { id: 1, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: false }
}

describe('a malformed file', () => {
  const malformed: readonly (readonly [name: string, reason: string, json: string])[] = [
    ['an empty file', 'tokenizer.json:1:1: not JSON', ''],
    ['cut JSON', 'tokenizer.json:1:296: not JSON', wordPieceJson().slice(0, 300)],
    ['a list', 'tokenizer.json: not a tokenizer – a list of 0', '[]'],
    ['null', 'tokenizer.json: not a tokenizer – null', 'null'],
    [
      'lists 200,000 deep',
      'tokenizer.json:1:258: nested too deep – wanted at most 256 levels',
      nested('[', ']', 200_000),
    ],
    [
      'objects 100,000 deep as normalizer',
      'nested too deep – wanted at most 256 levels',
      wordPieceJson({ normalizer: '@' }).replace('"@"', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    ],
    ['another version', '› version: unknown version – 2.0', wordPieceJson({ version: '2.0' })],
    [
      'a normalizer without a type',
      '› normalizer: unknown normalizer – null',
      wordPieceJson({ normalizer: { lowercase: true } }),
    ],
    [
      'a normalizer named like a prototype',
      '› normalizer: unknown normalizer – constructor',
      wordPieceJson({ normalizer: { type: 'constructor' } }),
    ],
    [
      'a flag that is a string',
      '› normalizer.strip_left: not a flag – yes',
      wordPieceJson({ normalizer: { type: 'Strip', strip_left: 'yes', strip_right: true } }),
    ],
    [
      'an unknown behaviour',
      '› pre_tokenizer.behavior: unknown word – Explode',
      wordPieceJson({ pre_tokenizer: { type: 'Punctuation', behavior: 'Explode' } }),
    ],
    [
      'an empty pattern',
      '› pre_tokenizer.pattern: empty pattern',
      wordPieceJson({ pre_tokenizer: { type: 'Split', pattern: { String: '' }, behavior: 'Isolated', invert: false } }),
    ],
    [
      'two patterns',
      '› pre_tokenizer.pattern: not a pattern – an object',
      wordPieceJson({
        pre_tokenizer: { type: 'Split', pattern: { String: 'a', Regex: 'b' }, behavior: 'Isolated', invert: false },
      }),
    ],
    [
      'chunks of no length',
      '› pre_tokenizer.length: not a usable number – 0',
      wordPieceJson({ pre_tokenizer: { type: 'FixedLength', length: 0 } }),
    ],
    [
      'a separator of two characters',
      '› pre_tokenizer.delimiter: not a single character – ab',
      wordPieceJson({ pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: 'ab' } }),
    ],
    [
      'an added token without flags',
      '› added_tokens[0].single_word: not a flag',
      wordPieceJson({ added_tokens: [{ id: 0, content: 'x' }] }),
    ],
    [
      'an added token with a huge id',
      '› added_tokens[0].id: not a token id – 2147483648',
      wordPieceJson({ added_tokens: [{ ...addedToken('x'), id: 2 ** 31 }] }),
    ],
    [
      'a fractional id',
      '› model.vocab › [UNK]: not a token id – 0.5',
      wordPieceJson({ model: { ...model, vocab: { '[UNK]': 0.5 } } }),
    ],
    [
      'merges of three',
      '› model.merges[0]: not a pair of tokens – a b c',
      JSON.stringify(bpe({ model: { ...bpeModel, merges: ['a b c'] } })),
    ],
    [
      'a score that is a string',
      '› model.vocab[0]: not a token with its score – a list of 2',
      JSON.stringify(bpe({ model: { type: 'Unigram', unk_id: 0, vocab: [['a', '0']] } })),
    ],
    [
      'an unknown id outside the vocabulary',
      '› model.unk_id: not a usable number – 1',
      JSON.stringify(bpe({ model: { type: 'Unigram', unk_id: 1, vocab: [['a', 0]] } })),
    ],
    [
      'a template with a second text for one',
      '› post_processor: the template for one text uses a second one',
      wordPieceJson({
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ Sequence: { id: 'B', type_id: 0 } }],
          pair: [],
          special_tokens: {},
        },
      }),
    ],
    [
      'a template with an unknown token',
      '› post_processor: the template uses a special token it does not define – x',
      wordPieceJson({
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ SpecialToken: { id: 'x', type_id: 0 } }],
          pair: [],
          special_tokens: {},
        },
      }),
    ],
    [
      'two templates',
      '› post_processor: more than one part of the post-processor adds tokens',
      wordPieceJson({
        post_processor: {
          type: 'Sequence',
          processors: [1, 2].map(() => ({ type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] })),
        },
      }),
    ],
    [
      'no vocabulary',
      '› model.vocab: not a table of token ids',
      wordLevelJson({ model: { type: 'WordLevel', unk_token: 'x' } }),
    ],
  ]

  test.each(malformed)('is refused: %s', async (_name, reason, json) => {
    expect(await refusal(json)).toMatchObject({
      code: 'tokenizer.invalid',
      message: expect.stringContaining(reason) as string,
    })
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
    for (const [changes, reason] of [
      [
        { normalizer: { type: 'Sequence', normalizers: doubling } },
        'replacements multiply the text – Replace, wanted at most 1000 times',
      ],
      [{ normalizer: deep }, 'too many parts – wanted at most 256'],
      [{ post_processor: wide }, '› post_processor.single: list too long – 100, wanted at most 64'],
    ] as const)
      expect(await refusal(wordPieceJson(changes))).toMatchObject({
        code: 'tokenizer.limit',
        message: expect.stringContaining(reason) as string,
      })
  })

  test('that is a Git LFS pointer says so', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
    expect(await refusal(pointer)).toMatchObject({
      code: 'format.lfs',
      message: expect.stringContaining('tokenizer.json: a Git LFS pointer') as string,
    })
  })

  test.each(['tokenizer_config.json', 'special_tokens_map.json', 'added_tokens.json'])(
    'beside a good one is refused: %s',
    async (name) => {
      for (const [text, reason] of [
        ['{', ':1:2: not JSON'],
        ['[1]', ': not a JSON object'],
        [nested('[', ']', 200_000), ':1:258: nested too deep'],
      ] as const)
        expect(await refusal(wordPieceJson(), { [name]: text })).toMatchObject({
          code: 'tokenizer.invalid',
          message: expect.stringContaining(`${name}${reason}`) as string,
        })
    },
  )

  test('whose added token ids are not ids is refused', async () => {
    for (const [name, text, reason] of [
      ['added_tokens.json', '{"x": -1}', 'added_tokens.json: not a token id – -1'],
      [
        'tokenizer_config.json',
        '{"added_tokens_decoder": {"1e3": {"content": "x"}}}',
        'added_tokens_decoder: not a token id – 1e3',
      ],
    ] as const)
      expect(await refusal(wordPieceJson(), { [name]: text })).toMatchObject({
        code: 'tokenizer.invalid',
        message: expect.stringContaining(reason) as string,
      })
  })

  test('config.json is another room’s to judge', async () => {
    expect((await open(wordPieceJson(), { 'config.json': '{' })).vocabularySize).toBe(15)
  })
})

describe('no tokenizer', () => {
  const missing: readonly (readonly [string, Record<string, string>, string])[] = [
    ['nothing at all', {}, 'no tokenizer'],
    [
      'a SentencePiece model',
      { 'tokenizer.model': '', 'tokenizer_config.json': '{"tokenizer_class":"CohereTokenizer"}' },
      'SentencePiece',
    ],
    ['spiece.model', { 'spiece.model': '', 'config.json': '{"model_type":"xlnet"}' }, 'SentencePiece'],
    ['sentencepiece.bpe.model', { 'sentencepiece.bpe.model': '' }, 'SentencePiece'],
    [
      'a tiktoken vocabulary',
      { 'qwen.tiktoken': '', 'tokenizer_config.json': '{"tokenizer_class":"QWenTokenizer"}' },
      'tiktoken',
    ],
    ['tekken', { 'tekken.json': '{}' }, 'tiktoken'],
    [
      'another kind of vocab.txt',
      { 'vocab.txt': 'a\n', 'tokenizer_config.json': '{"tokenizer_class":"EsmTokenizer"}' },
      'another kind (EsmTokenizer)',
    ],
    ['merges without a vocabulary', { 'merges.txt': '' }, 'another kind'],
  ]

  test.each(missing)('of a kind that can be read: %s', async (_name, files, words) => {
    const fault = await rejectionOf(loadTokenizer(memoryFiles(files)))
    expect([fault.code, fault.hint?.includes('save_pretrained')]).toEqual(['tokenizer.missing', true])
    expect(fault.message).toContain(words)
  })

  test('a vocab.txt without the tokens it needs is refused', async () => {
    const files = memoryFiles({
      'vocab.txt': 'hello\nworld\n',
      'tokenizer_config.json': '{"tokenizer_class":"BertTokenizer"}',
    })
    expect(await rejectionOf(loadTokenizer(files))).toMatchObject({
      code: 'tokenizer.invalid',
      parts: { seen: '[UNK]' },
    })
  })
})

/** Flips some bytes of a text, or cuts it. */
const damage = fc.oneof(
  fc.record({ cut: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    flips: fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.integer({ min: 1, max: 255 })),
      { minLength: 1, maxLength: 4 },
    ),
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
    await tokenizer.encodeBatch(['', 'hello wörld', '[CLS] 中文 abc ', '\u0301\u200b', 'a'.repeat(300)], {
      offsets: true,
      maxLength: 50,
    })
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
  const tokenizer = await open(
    wordPieceJson({ model: { ...model, vocab }, normalizer: null, pre_tokenizer: { type: 'WhitespaceSplit' } }),
  )
  const [encoded] = await tokenizer.encodeBatch(['constructor toString valueOf'], { addSpecialTokens: false })
  expect([...(encoded?.ids ?? [])]).toEqual([15, 16, 1])
})
