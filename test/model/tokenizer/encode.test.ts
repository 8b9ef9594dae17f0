import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Encoded, loadTokenizer, pad } from '#model/tokenizer'
import { memoryFiles, rejectionOf } from './made-folder.ts'
import { bpe, wordLevelJson, wordPiece, wordPieceIds, wordPieceJson } from './small-tokenizers.ts'

const open = (json = wordPieceJson(), files: Record<string, string> = {}) =>
  loadTokenizer(memoryFiles({ 'tokenizer.json': json, ...files }))
const idsOf = (encoded: readonly Encoded[]): number[][] => encoded.map(({ ids }) => [...ids])
const word = (text: string): number => wordPieceIds[text] ?? -1
const template = (single: unknown[], pair: unknown[], special_tokens: unknown = {}) => ({
  post_processor: { type: 'TemplateProcessing', single, pair, special_tokens },
})
const sequence = (id: 'A' | 'B', type_id: number) => ({ Sequence: { id, type_id } })
const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })

describe('one text', () => {
  test('is wrapped in the template, the length and padding of the file ignored', async () => {
    const [encoded] = await (await open()).encodeBatch(['Hello, wörld!'], { offsets: true, specialTokensMask: true })
    expect([...(encoded?.ids ?? [])]).toEqual([2, word('hello'), 1, word('world'), word('!'), 3])
    expect([...(encoded?.typeIds ?? [])]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...(encoded?.specialTokensMask ?? [])]).toEqual([1, 0, 0, 0, 0, 1])
    expect([...(encoded?.offsets ?? [])]).toEqual([0, 0, 0, 5, 5, 6, 7, 12, 12, 13, 0, 0])
  })

  test('has offsets in code points, not UTF-16 units', async () => {
    const [encoded] = await (await open()).encodeBatch(['😀 hello'], { addSpecialTokens: false, offsets: true })
    expect([...(encoded?.offsets ?? [])]).toEqual([0, 1, 2, 7])
  })

  test('keeps its place when it is empty', async () => {
    expect(idsOf(await (await open()).encodeBatch(['', 'a', '']))).toEqual([
      [2, 3],
      [2, word('a'), 3],
      [2, 3],
    ])
  })

  test('comes without masks and offsets unless they are asked for', async () => {
    const [encoded] = await (await open()).encodeBatch(['a'])
    expect(Object.keys(encoded ?? {}).sort()).toEqual(['ids', 'typeIds'])
  })

  test('may be cut down to the template and no further', async () => {
    const tokenizer = await open()
    expect(idsOf(await tokenizer.encodeBatch(['hello world'], { maxLength: 2 }))).toEqual([[2, 3]])
    expect((await rejectionOf(tokenizer.encodeBatch(['hello'], { maxLength: 1 }))).code).toBe('usage.value')
    expect((await rejectionOf(tokenizer.encodeBatch(['hello'], { maxLength: 2.5 }))).code).toBe('usage.value')
  })

  test('ends with the tokens of its template after cutting, as EOS templates ask', async () => {
    const special = { '</s>': { id: '</s>', ids: [1, 1], tokens: ['</s>', '</s>'] } }
    const json = JSON.stringify(
      bpe(
        template([sequence('A', 0), token('</s>', 0)], [sequence('A', 0), sequence('B', 1), token('</s>', 1)], special),
      ),
    )
    const tokenizer = await open(json)
    expect(idsOf(await tokenizer.encodeBatch(['abc a b c', ''], { maxLength: 4 }))).toEqual([
      [6, 2, 1, 1],
      [1, 1],
    ])
  })

  test('may be longer than a slice of the batch, among many others', async () => {
    const tokenizer = await open()
    const long = 'hello '.repeat(300_000)
    const encoded = await tokenizer.encodeBatch(['a', long, 'b'], { addSpecialTokens: false })
    expect(encoded.map(({ ids }) => ids.length)).toEqual([1, 300_000, 1])
  })

  test('of many million characters is refused', async () => {
    const fault = await rejectionOf((await open()).encodeBatch(['a', 'b '.repeat(3_000_000)]))
    expect(fault).toMatchObject({ code: 'tokenizer.limit', parts: { place: 'memory › text 1' } })
  })
})

describe('many texts', () => {
  const texts = Array.from({ length: 2_345 }, (_, index) => ['hello', 'world a', '', 'b b b'][index % 4] ?? '')

  test('come back in order, whatever the slices', async () => {
    const tokenizer = await open()
    const single = await Promise.all(texts.slice(0, 4).map((text) => tokenizer.encodeBatch([text])))
    const expected = single.flatMap(idsOf)
    expect(idsOf(await tokenizer.encodeBatch(texts))).toEqual(texts.map((_, index) => expected[index % 4]))
  })

  test('report their progress', async () => {
    const seen: number[] = []
    await (await open()).encodeBatch(texts, { onProgress: ({ done, total }) => seen.push(done, total ?? -1) })
    expect(seen).toEqual([1_000, 2_345, 2_000, 2_345, 2_345, 2_345])
  })

  test('stop when they are cancelled', async () => {
    const controller = new AbortController()
    const promise = (await open()).encodeBatch(texts, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    expect((await rejectionOf(promise)).code).toBe('run.cancelled')
  })

  test('may be encoded by several callers at once', async () => {
    const tokenizer = await open()
    const [first, second] = await Promise.all([
      tokenizer.encodeBatch(texts, { maxLength: 3 }),
      tokenizer.encodeBatch(texts, { addSpecialTokens: false }),
    ])
    expect(idsOf(first)).toEqual(idsOf(await tokenizer.encodeBatch(texts, { maxLength: 3 })))
    expect(idsOf(second)).toEqual(idsOf(await tokenizer.encodeBatch(texts, { addSpecialTokens: false })))
  })
})

describe('pairs', () => {
  test('have the type ids of the template, or those of two plain texts', async () => {
    const tokenizer = await open()
    const [whole] = await tokenizer.encodePairs([['hello', 'a b']], { specialTokensMask: true })
    expect([...(whole?.ids ?? [])]).toEqual([2, 4, 3, 8, 10, 3])
    expect([...(whole?.typeIds ?? [])]).toEqual([0, 0, 0, 1, 1, 1])
    expect([...(whole?.specialTokensMask ?? [])]).toEqual([1, 0, 1, 0, 0, 1])
    const [bare] = await tokenizer.encodePairs([['hello', 'a b']], { addSpecialTokens: false })
    expect([[...(bare?.ids ?? [])], [...(bare?.typeIds ?? [])]]).toEqual([
      [4, 8, 10],
      [0, 1, 1],
    ])
  })

  test('lose tokens where the strategy says', async () => {
    const tokenizer = await open()
    const cut = async (truncation: 'longest_first' | 'only_first' | 'only_second'): Promise<number[][]> =>
      idsOf(await tokenizer.encodePairs([['a a a a', 'b b']], { maxLength: 7, truncation }))
    expect(await cut('longest_first')).toEqual([[2, 8, 8, 3, 10, 10, 3]])
    expect(await cut('only_first')).toEqual([[2, 8, 8, 3, 10, 10, 3]])
    expect((await rejectionOf(cut('only_second'))).code).toBe('usage.value')
  })

  test('never exceed the length, and lose no more than they must', async () => {
    const tokenizer = await open()
    const texts = fc.integer({ min: 1, max: 9 })
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.integer({ min: 3, max: 24 }), async (first, second, maxLength) => {
        const [cut] = await tokenizer.encodePairs([['a '.repeat(first), 'b '.repeat(second)]], { maxLength })
        expect(cut?.ids.length).toBe(Math.min(maxLength, first + second + 3))
      }),
      { seed: 7, numRuns: 50 },
    )
  })
})

describe('padding', () => {
  const rows = [[1, 2, 3], [], [4]].map((ids) => ({
    ids: Int32Array.from(ids),
    typeIds: Int32Array.from(ids, () => 1),
  }))

  test('fills rows on either side', () => {
    expect(pad(rows, { padId: 9 })).toEqual({
      inputIds: Int32Array.from([1, 2, 3, 9, 9, 9, 4, 9, 9]),
      attentionMask: Int32Array.from([1, 1, 1, 0, 0, 0, 1, 0, 0]),
      typeIds: Int32Array.from([1, 1, 1, 0, 0, 0, 1, 0, 0]),
      rows: 3,
      cols: 3,
    })
    expect([...pad(rows, { side: 'left' }).inputIds]).toEqual([1, 2, 3, 0, 0, 0, 0, 0, 4])
  })

  test('rounds the width up, and makes it as wide as asked', () => {
    expect(pad(rows, { multipleOf: 8 }).cols).toBe(8)
    expect(pad(rows, { length: 5 }).cols).toBe(5)
    expect(pad(rows, { length: 2, multipleOf: 2 }).cols).toBe(4)
    expect(pad([], { multipleOf: 8 })).toMatchObject({ rows: 0, cols: 0 })
    expect(() => pad(rows, { multipleOf: 0 })).toThrow('multipleOf')
  })

  test('taken away by the mask gives the rows back', () => {
    const ids = fc
      .array(fc.nat(1000), { maxLength: 12 })
      .map((row) => ({ ids: Int32Array.from(row), typeIds: new Int32Array(row.length) }))
    fc.assert(
      fc.property(
        fc.array(ids, { maxLength: 8 }),
        fc.constantFrom('left' as const, 'right' as const),
        fc.integer({ min: 1, max: 9 }),
        (batch, side, multipleOf) => {
          const { inputIds, attentionMask, rows, cols } = pad(batch, { side, multipleOf, padId: 1001 })
          const real = Array.from({ length: rows }, (_, row) =>
            [...inputIds.subarray(row * cols, (row + 1) * cols)].filter(
              (_, col) => attentionMask[row * cols + col] === 1,
            ),
          )
          expect(real).toEqual(batch.map(({ ids }) => [...ids]))
        },
      ),
      { seed: 7 },
    )
  })

  test('uses the tokenizer’s side and pad token', async () => {
    const config = JSON.stringify({ tokenizer_class: 'BertTokenizer', padding_side: 'left' })
    const tokenizer = await open(wordPieceJson(), { 'tokenizer_config.json': config })
    expect([...tokenizer.pad(await tokenizer.encodeBatch(['a', 'a b'])).inputIds]).toEqual([0, 2, 8, 3, 2, 8, 10, 3])
  })
})

describe('the tokenizer', () => {
  test('translates tokens and ids, and knows those it has not', async () => {
    const tokenizer = await open(wordLevelJson())
    expect(['hello', '__proto__', 'constructor', 'nope'].map((text) => tokenizer.tokenId(text))).toEqual([
      1,
      3,
      undefined,
      undefined,
    ])
    expect(tokenizer.tokens([1, 3, 4, -1])).toEqual(['hello', '__proto__', undefined, undefined])
    expect(tokenizer.vocabularySize).toBe(4)
  })

  test('cleans decoded text up where its settings ask for it, as transformers 5: never that of BPE', async () => {
    const asking = { 'tokenizer_config.json': '{"clean_up_tokenization_spaces": true}' }
    const model = {
      type: 'WordLevel',
      vocab: { '[UNK]': 0, is: 1, "n't": 2, it: 3, '?': 4, "'s": 5, '.': 6 },
      unk_token: '[UNK]',
    }
    const json = wordLevelJson({ model })
    const [plain, cleaning] = [await open(json), await open(json, asking)]
    const ids = [1, 2, 3, 4, 3, 5, 6]
    expect(await plain.decode(ids)).toBe("is n't it ? it 's .")
    expect(await cleaning.decode(ids)).toBe("isn't it? it's.")
    expect(cleaning.identity).not.toBe(plain.identity)
    const merges = { vocab: { a: 0, ' ': 1, '.': 2, ' .': 3 }, merges: [[' ', '.']] }
    const whole = JSON.stringify(bpe({ model: { ...(bpe()['model'] as object), ...merges }, added_tokens: [] }))
    const [before, after] = [await open(whole), await open(whole, asking)]
    expect(await after.decode([0, 3])).toBe('a .')
    expect(after.identity).toBe(before.identity)
  })

  test('decodes with and without special tokens', async () => {
    const tokenizer = await open()
    expect(await tokenizer.decode([2, 4, 6, 7, 3])).toBe('hello world')
    expect(await tokenizer.decode([2, 4, 3], { skipSpecialTokens: false })).toBe('[CLS] hello [SEP]')
  })

  test('numbers added tokens on from the vocabulary', async () => {
    const config = JSON.stringify({ additional_special_tokens: ['<x>', '<y>'], pad_token: '[PAD]' })
    const tokenizer = await open(wordPieceJson(), { 'tokenizer_config.json': config })
    expect([tokenizer.tokenId('<x>'), tokenizer.tokenId('<y>'), tokenizer.vocabularySize]).toEqual([15, 16, 17])
    expect(idsOf(await tokenizer.encodeBatch(['a <y>b'], { addSpecialTokens: false }))).toEqual([[8, 16, 10]])
  })

  test.each([
    [512, 512],
    [1e30, undefined],
    [1000000000000000019884624838656, undefined],
    [0, undefined],
    ['512', undefined],
  ])('takes model_max_length %s as %s', async (given, expected) => {
    const tokenizer = await open(wordPieceJson(), {
      'tokenizer_config.json': JSON.stringify({ model_max_length: given }),
    })
    expect(tokenizer.modelMaxLength).toBe(expected)
  })

  test('never draws at random: dropout of the file is not applied', async () => {
    const model = { ...(bpe()['model'] as Record<string, unknown>), dropout: 0.9 }
    const tokenizer = await open(JSON.stringify(bpe({ model })))
    expect(idsOf(await tokenizer.encodeBatch(Array.from({ length: 50 }, () => 'abc')))).toEqual(
      Array.from({ length: 50 }, () => [6]),
    )
  })
})

describe('identity', () => {
  const identity = async (json: string, config: unknown = {}): Promise<string> =>
    (await open(json, { 'tokenizer_config.json': JSON.stringify(config) })).identity

  test('is the same for the same tokenizer, whatever length is fixed in the file', async () => {
    const base = await identity(wordPieceJson())
    expect(base).toMatch(/^[0-9a-f]{64}$/)
    expect(await identity(wordPieceJson({ truncation: null }), { model_max_length: 7 })).toBe(base)
  })

  test('changes with everything that changes ids', async () => {
    const { model } = wordPiece() as { model: Record<string, unknown> }
    const changed = [
      wordPieceJson({ normalizer: null }),
      wordPieceJson({ pre_tokenizer: { type: 'WhitespaceSplit' } }),
      wordPieceJson({ post_processor: null }),
      wordPieceJson({ post_processor: { type: 'BertProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 2] } }),
      wordPieceJson({ added_tokens: [] }),
      wordPieceJson({ model: { ...model, max_input_chars_per_word: 3 } }),
      wordPieceJson({ model: { ...model, vocab: { ...wordPieceIds, c: 15 } } }),
    ]
    const identities = await Promise.all([wordPieceJson(), ...changed].map((json) => identity(json)))
    const byConfig = await Promise.all(
      [
        { truncation_side: 'left' },
        { additional_special_tokens: ['<x>'] },
        { chat_template: 'x' },
        { tokenizer_class: 'BertTokenizer', do_lower_case: false },
      ].map((config) => identity(wordPieceJson(), config)),
    )
    expect(new Set([...identities, ...byConfig]).size).toBe(changed.length + 5)
  })
})
