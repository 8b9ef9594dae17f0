/** The ids of the native core, whatever is cut here: `encodeBatch` sends whole texts through it. */
import { gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import { readDefinition } from '../../../src/model/tokenizer/definition.ts'
import type { Engine } from '../../../src/model/tokenizer/engine.ts'
import { wordEncoder } from '../../../src/model/tokenizer/encode-words.ts'
import { wordCut } from '../../../src/model/tokenizer/word-cut.ts'
import { shared, sharedPath } from '../../shared.ts'
import { folderFiles, memoryFiles, rejectionOf } from './made-folder.ts'
import { bpe, wordLevelJson, wordPiece, wordPieceJson } from './small-tokenizers.ts'

const open = (json: unknown): Promise<Tokenizer> =>
  loadTokenizer(memoryFiles({ 'tokenizer.json': typeof json === 'string' ? json : JSON.stringify(json) }), {
    asWritten: true,
  })

const listsOf = ({ ids, ends }: { ids: Int32Array; ends: Int32Array }): number[][] =>
  Array.from(ends, (end, i) => [...ids.subarray(ends[i - 1] ?? 0, end)])
const bareIds = async (tokenizer: Tokenizer, texts: readonly string[]): Promise<number[][]> =>
  listsOf(await tokenizer.encodeBare(texts))
const nativeIds = async (tokenizer: Tokenizer, texts: readonly string[]): Promise<number[][]> =>
  (await tokenizer.encodeBatch(texts, { addSpecialTokens: false })).map(({ ids }) => [...ids])

/** The texts whose ids differ: none. */
async function differing(tokenizer: Tokenizer, texts: readonly string[]): Promise<unknown[]> {
  const [bare, native] = [await bareIds(tokenizer, texts), await nativeIds(tokenizer, texts)]
  expect(bare.length).toBe(texts.length)
  return texts.flatMap((text, i) => (String(bare[i]) === String(native[i]) ? [] : [[text, bare[i], native[i]]]))
}

const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i))
const ascii = Array.from({ length: 128 }, (_, i) => String.fromCharCode(i))
const ids = (tokens: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id]))
/** Tells a character that begins a word from one within it. */
const everyCharacter = ids(['[UNK]', ...visible, ...visible.map((one) => `##${one}`)])
const wordPieceOf = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
  wordPiece({
    added_tokens: [],
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 20,
      vocab: everyCharacter,
    },
    ...changes,
  })
/** Every pair of characters is a word, so that no cut goes unnoticed. */
const pairs = wordLevelJson({
  model: {
    type: 'WordLevel',
    unk_token: '[UNK]',
    vocab: ids(['[UNK]', ...visible, ...visible.flatMap((a) => visible.map((b) => a + b))]),
  },
})

const bert = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null }
const normalizers: readonly (readonly [name: string, value: unknown])[] = [
  ['none', null],
  ['BERT, lower case', { ...bert, lowercase: true }],
  ['BERT, cased', { ...bert, lowercase: false }],
  ['BERT, not cleaned', { ...bert, clean_text: false, lowercase: true }],
  ['Lowercase', { type: 'Lowercase' }],
  ['NFKC, then Lowercase', { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] }],
  ['Nmt and NFD', { type: 'Sequence', normalizers: [{ type: 'Nmt' }, { type: 'NFD' }, { type: 'StripAccents' }] }],
]
const pairNames = ['none', 'BERT, lower case']
const splitters = ['BertPreTokenizer', 'Whitespace', 'WhitespaceSplit']
const kinds = splitters.flatMap((type) => normalizers.map(([name, normalizer]) => ({ type, name, normalizer })))
/** One of each kind, and characters beyond ASCII. */
const samples = ['a', 'Z', '0', '_', '!', "'", '-', '[', ' ', '\t', '\n', '\v', '\0', '\u001c', '\u007f', 'é', '\u0301']
const others = ['中', '\u00a0', '\u2028', '😀', '\ud800', 'İ', '\ufffd', '\u200b']

describe('ids put together from words are those of whole texts', () => {
  test.each(kinds.filter(({ name }) => pairNames.includes(name)))(
    '$type, $name: all pairs of ASCII',
    async ({ type, normalizer }) => {
      const tokenizer = await open(wordPieceOf({ normalizer, pre_tokenizer: { type } }))
      expect(wordCut(tokenizer.definition)).toBeDefined()
      expect(await differing(tokenizer, ascii.map((a) => ascii.map((b) => `x${a}${b}y`)).flat())).toEqual([])
    },
  )

  test.each(kinds)('$type, $name: threes of every kind of character', async ({ type, normalizer }) => {
    const tokenizer = await open(wordPieceOf({ normalizer, pre_tokenizer: { type } }))
    const all = [...samples, ...others]
    const texts = samples.flatMap((a) => all.flatMap((b) => samples.slice(0, 8).map((c) => a + b + c)))
    expect(await differing(tokenizer, texts)).toEqual([])
  })

  test.each(splitters)('%s: a vocabulary of pairs', async (type) => {
    const tokenizer = await open({ ...(JSON.parse(pairs) as object), pre_tokenizer: { type } })
    expect(await differing(tokenizer, visible.map((a) => visible.map((b) => a + b)).flat())).toEqual([])
  })

  test('words at, below and above the longest of the vocabulary, and of the table', async () => {
    const lengths = [19, 20, 21, 127, 128, 129, 70_000]
    const texts = lengths.flatMap((length) => ['a', 'aB', '!'].map((part) => `b ${part.repeat(length)} c`))
    for (const { type, normalizer } of kinds.slice(0, 3))
      expect(await differing(await open(wordPieceOf({ normalizer, pre_tokenizer: { type } })), texts)).toEqual([])
  })

  test('texts of many words, empty ones and blank ones among them', async () => {
    const tokenizer = await open(wordPieceOf())
    const text = fc
      .array(fc.oneof(fc.constantFrom(...samples, ...others), fc.string({ maxLength: 12 })), { maxLength: 30 })
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
        expect(await differing(tokenizer, texts)).toEqual([])
      }),
      { seed: 31, numRuns: 100 },
    )
    expect(await bareIds(tokenizer, [])).toEqual([])
  })

  const added = (content: string, flags: Record<string, boolean> = {}) => ({
    id: 0,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
    ...flags,
  })
  const literals = ['[UNK]', 'new york', 'Q', 'aab', 'tail\tend', '.']
  const around = ['', 'x', ' ', '\n', 'new ', '[']

  test.each([
    ['exact', {}],
    ['normalised', { normalized: true }],
    ['with the spaces around them', { normalized: true, lstrip: true, rstrip: true }],
    ['as single words', { single_word: true }],
  ])('added tokens: %s', async (_name, flags) => {
    const spellings = [...literals, ...literals.map((one) => one.toUpperCase()), 'new\tyork', 'new  york', 'tail end']
    const texts = spellings.flatMap((one) => around.flatMap((a) => around.map((b) => `a ${a}${one}${b} b`)))
    for (const type of splitters) {
      const tokens = literals.map((content) => added(content, flags))
      const tokenizer = await open(wordPieceOf({ added_tokens: tokens, pre_tokenizer: { type } }))
      expect(wordCut(tokenizer.definition)).toBeDefined()
      expect(await differing(tokenizer, texts)).toEqual([])
    }
  })

  test('stretches with other characters, some of them at the length that is kept', async () => {
    const lengths = [1, 30, 31, 32, 33, 140]
    const texts = lengths.flatMap((length) => [`a! ${'é'.repeat(length)}`, `é${'ab'.repeat(length / 2)}!c a-b`])
    for (const { type, normalizer } of kinds)
      expect(
        await differing(await open(wordPieceOf({ normalizer, pre_tokenizer: { type } })), [
          ...texts,
          'a-é.b c.d é',
          '\0 a\0b-c d!e',
          'a b-é',
          'é\u00a0b c',
        ]),
      ).toEqual([])
  })

  test('letters whose case counts before normalization', async () => {
    // J̌ has no character of its own, ǰ has one
    const vocab = ids(['[UNK]', 'ǰ', 'j', 'j\u030c', '##\u030c', 'x'])
    const model = {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 20,
    }
    const normalizer = { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] }
    const tokenizer = await open(wordPieceOf({ normalizer, model: { ...model, vocab } }))
    expect(await differing(tokenizer, ['x J\u030c', 'j\u030c X', 'J\u030c'])).toEqual([])
  })

  test('added tokens that reach over spaces, spelled with other characters', async () => {
    const normalizer = { type: 'NFKC' }
    for (const token of [added('new york', { normalized: true }), added('é x'), added('né')]) {
      const tokenizer = await open(wordPieceOf({ normalizer, added_tokens: [token] }))
      expect(await differing(tokenizer, ['a \uff4eew york b', 'bé x', 'né x', 'n\u00a0né'])).toEqual([])
    }
  })

  test('an added token that normalization spells otherwise', async () => {
    const tokens = [added('café', { normalized: true }), added('naïf')]
    const tokenizer = await open(wordPieceOf({ added_tokens: tokens }))
    expect(await differing(tokenizer, ['a cafe b', 'a café b', 'naif naïf', 'CAFE'])).toEqual([])
    expect(wordCut(tokenizer.definition)).toBeUndefined()
    expect(wordCut((await open(wordPieceOf({ added_tokens: tokens.slice(1) }))).definition)).toBeDefined()
  })

  test.each([
    ['Replace', { normalizer: { type: 'Replace', pattern: { String: 'a' }, content: ' ' } }],
    [
      'two splitters',
      { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Punctuation' }] } },
    ],
    ['no splitter', { pre_tokenizer: null }],
    ['splitting at dashes', { pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: '-' } }],
  ])('%s is left to the core', async (_name, changes) => {
    const tokenizer = await open(wordPieceOf(changes))
    expect(wordCut(tokenizer.definition)).toBeUndefined()
    expect(await differing(tokenizer, ['a b-c', '', 'hello, world'])).toEqual([])
  })

  const letters = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+`
  const rest = String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
  const split = (digits: string) => ({
    type: 'Split',
    pattern: { Regex: `${letters}|${digits}|${rest}` },
    behavior: 'Isolated',
    invert: false,
  })
  const bytes = (prefix: boolean, regex: boolean) => ({
    type: 'ByteLevel',
    add_prefix_space: prefix,
    trim_offsets: true,
    use_regex: regex,
  })
  const after = (first: object, second: object) => ({ type: 'Sequence', pretokenizers: [first, second] })
  const patterns: readonly (readonly [name: string, splitter: unknown])[] = [
    ['GPT-2', bytes(false, true)],
    ['Qwen', after(split(String.raw`\p{N}`), bytes(false, false))],
    ['Llama 3', after(split(String.raw`\p{N}{1,3}`), bytes(false, false))],
    ['Qwen with spaces in front of words', after(split(String.raw`\p{N}`), bytes(true, false))],
  ]
  /** Bytes as byte-level tokenizers write them: visible ones as they are, Ġ for the space, Ĉ, Ċ and č for others. */
  const byteCharacters = Array.from({ length: 256 }, (_, byte) => {
    const asItIs = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte < 0xad) || byte > 0xad
    return String.fromCharCode(asItIs ? byte : 0x100 + (byte <= 0x20 ? byte : byte - 0x7f + 0x21))
  })
  /** Each ASCII character and one of every kind that meet in a word become one token, so that no cut goes unnoticed. */
  const bytePairs = (splitter: unknown, changes: Record<string, unknown> = {}): Record<string, unknown> => {
    const plain = byteCharacters.slice(0, 127)
    const mates = ['a', 's', '0', '!', "'", ' ', '\n', '\t'].map((one) => byteCharacters[one.charCodeAt(0)] ?? '')
    const merges = plain.flatMap((a) => mates.flatMap((b) => [[a, b] as const, [b, a] as const]))
    const vocab = ids([...byteCharacters, ...merges.map(([a, b]) => a + b)])
    const model = { ...(bpe()['model'] as object), vocab, merges }
    return bpe({ added_tokens: [], decoder: null, pre_tokenizer: splitter, model, ...changes })
  }
  const bytesOf = ["'", 's', 'S', 'l', 'é', '0', '12', '345', ' ', '  ', '\n', '\t', '\r', '!', '.', '_', '\v', '中']

  test.each(patterns)('%s: each ASCII character between all kinds, and mixtures', async (_name, splitter) => {
    const tokenizer = await open(bytePairs(splitter))
    expect(wordCut(tokenizer.definition)).toBeDefined()
    const mates = ['a', 's', '0', '!', "'", ' ', '\n', '\t']
    const between = ascii.flatMap((one) => mates.flatMap((a) => mates.map((b) => a + one + b)))
    expect(await differing(tokenizer, between)).toEqual([])
    const text = fc.array(fc.constantFrom(...bytesOf), { minLength: 3, maxLength: 6 }).map((parts) => parts.join(''))
    expect(await differing(tokenizer, fc.sample(text, { seed: 5, numRuns: 2500 }))).toEqual([])
    expect(
      await differing(
        tokenizer,
        [127, 128, 129, 300].map((length) => `b ${'a'.repeat(length)} c`),
      ),
    ).toEqual([])
  })

  test.each([
    ['letters made small first', bytes(false, true), { normalizer: { type: 'Lowercase' } }],
    ['white space changed first', bytes(false, true), { normalizer: { type: 'Nmt' } }],
    ['a space in front of the first word', bytes(true, true), {}],
    ['two patterns', after(split(String.raw`\p{N}`), bytes(false, true)), {}],
    ['another pattern', after({ ...split('x'), pattern: { Regex: String.raw`\p{N}` } }, bytes(false, false)), {}],
    ['matches left out', after({ ...split(String.raw`\p{N}`), behavior: 'Removed' }, bytes(false, false)), {}],
    ['the text between matches', after({ ...split(String.raw`\p{N}`), invert: true }, bytes(false, false)), {}],
    ['another splitter behind', after(split(String.raw`\p{N}`), { type: 'Digits', individual_digits: true }), {}],
  ])('bytes with %s are left to the core', async (_name, splitter, changes) => {
    const tokenizer = await open(bytePairs(splitter, changes))
    expect(wordCut(tokenizer.definition)).toBeUndefined()
    expect(await differing(tokenizer, ["IT'S it's a\tb 12x", 'x', ''])).toEqual([])
  })

  test('added tokens in texts of a byte-level tokenizer', async () => {
    const tokens = [added('<|end|>'), added('a b', { normalized: true })]
    const tokenizer = await open(bytePairs(bytes(false, true), { added_tokens: tokens }))
    expect(await differing(tokenizer, ['x<|end|>y', 'x <|end|> y', 'a b', 'xa b', 'A B', '<|end'])).toEqual([])
  })

  test('byte pairs', async () => {
    expect(await differing(await open(bpe()), ['abc ab a', 'cab  abc\tabcabc', '', 'xyz'])).toEqual([])
  })
})

describe.skipIf(!shared)('texts and tokenizers of the shared data', () => {
  const texts = (name: string): string[] =>
    gunzipSync(readFileSync(sharedPath('data', ...name.split('/'))))
      .toString()
      .split('\n')
      .slice(0, 60)
      .filter((line) => line !== '')
      .map((line) => String((JSON.parse(line) as Record<string, unknown>)['text']))
  const folders = [
    ['potion-base-4M-int8'],
    ['glove-6B-100d-30k'],
    ['all-MiniLM-L6-v2'],
    ...['wordpiece', 'byte-bpe', 'chat-bpe', 'llama-bpe', 'unigram'].map((name) => ['pico', 'tokenizers', name]),
  ]

  test.each(folders)('%s %s %s', async (...path) => {
    const tokenizer = await loadTokenizer(folderFiles(sharedPath('models', ...path)))
    for (const name of [
      'banking77/test.jsonl.gz',
      'tweet_sentiment_extraction/test.jsonl.gz',
      'scifact/corpus.jsonl.gz',
    ])
      expect(await differing(tokenizer, texts(name))).toEqual([])
  })
})

describe('what the core is asked', () => {
  /** Ids are the characters; every text that is asked is written down. */
  const spy = (asked: string[][], fails = { now: false }): Engine => ({
    encode(texts) {
      if (fails.now) return Promise.reject(new Error('no'))
      asked.push([...texts])
      const all = texts.map((text) => Array.from(text.toLowerCase(), (one) => one.charCodeAt(0)))
      let total = 0
      const ends = Int32Array.from(all, (one) => (total += one.length))
      return Promise.resolve({ ids: Int32Array.from(all.flat()), ends, offsets: undefined })
    },
    decode: () => Promise.resolve(''),
    split: () => Promise.resolve([]),
  })
  const definition = readDefinition(wordPieceJson(), 'made')
  const text = { text: 0, typeId: 0 } as const
  const bare = { single: [text], pair: [text] }
  const encoder = (engine: Engine) =>
    ({ name: 'made', engine, template: { ...bare, bare }, truncationSide: 'right' }) as const
  const codes = (word: string): number[] => Array.from(word, (one) => one.charCodeAt(0))

  test('each word once, in whatever case; texts that may hold an added token as a whole, again and again', async () => {
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked)), definition)
    const held = 'x [sep]'
    expect(listsOf(await encode(['ab cd ab', held, 'CD']))).toEqual([codes('abcdab'), codes(held), codes('cd')])
    expect(listsOf(await encode(['AB', held, 'ef ab']))).toEqual([codes('ab'), codes(held), codes('efab')])
    expect(listsOf(await encode(['ab ab', '']))).toEqual([codes('abab'), []])
    expect(asked).toEqual([
      ['ab', 'cd', held],
      ['ef', held],
    ])
  })

  test('a stretch with other characters once, as it is written', async () => {
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked)), definition)
    expect(listsOf(await encode(['a-\u00e9! b.', 'b a-\u00e9!']))).toEqual([codes('a-\u00e9!b.'), codes('ba-\u00e9!')])
    await encode(['A-\u00e9!'])
    expect(asked).toEqual([['a-\u00e9!', 'b', '.'], ['A-\u00e9!']])
  })

  test('by one call at a time', async () => {
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked)), definition)
    const [first, second] = await Promise.all([encode(['ab cd']), encode(['cd ab'])])
    expect([listsOf(first), listsOf(second)]).toEqual([[codes('abcd')], [codes('cdab')]])
    expect(asked).toEqual([['ab', 'cd']])
  })

  test('again after it has failed', async () => {
    const fails = { now: true }
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked, fails)), definition)
    await expect(encode(['ab'])).rejects.toThrow('no')
    fails.now = false
    expect(listsOf(await encode(['ab']))).toEqual([codes('ab')])
  })

  test.each([
    ['words', { words: 2, tokens: 1000 }],
    ['tokens', { words: 1000, tokens: 5 }],
  ])('anew where the table has too many %s', async (_name, most) => {
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked)), definition, most)
    for (const one of ['ab cd', 'ab', 'ab ef', 'ab']) await encode([one])
    expect(asked).toEqual([['ab', 'cd'], ['ef'], ['ab']])
  })

  test('many words, each found again', async () => {
    const asked: string[][] = []
    const encode = wordEncoder(encoder(spy(asked)), definition)
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}`)
    const texts = Array.from({ length: 200 }, (_, i) => words.slice(100 * i, 100 * (i + 1)))
    const expected = texts.map((list) => codes(list.join('')))
    for (let round = 0; round < 2; round++)
      expect(listsOf(await encode(texts.map((list) => list.join(' '))))).toEqual(expected)
    expect(asked.flat()).toEqual(words)
  })

  test('nothing for a text that is too long, by its number', async () => {
    const fault = await rejectionOf((await open(wordPieceJson())).encodeBare(['a', 'b', 'c '.repeat(3_000_000)]))
    expect(fault).toMatchObject({ code: 'tokenizer.limit', parts: { place: 'memory › text 2' } })
  })
})
