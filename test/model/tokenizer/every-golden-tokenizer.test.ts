/** Every string, pair, truncation, batch and chat of the golden files (transformers 4.57.6): integers, no tolerance. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type ChatMessage, type Encoded, loadTokenizer, type Side } from '#model/tokenizer'
import { shared, sharedPath } from '../../shared.ts'
import { faultOf, folderFiles } from './made-folder.ts'

interface Golden {
  vocab_size: number
  special: Record<string, string | string[]>
  strings: GoldenString[]
  pairs: GoldenPair[]
  truncated_16: { index: number; ids: number[] }[]
  chat?: { messages: ChatMessage[]; add_generation_prompt: boolean; text: string; ids?: number[] }[]
  chat_error?: { messages: ChatMessage[]; message: string }
  [batch: string]: unknown
}

interface GoldenString {
  text: string
  ids: number[]
  tokens?: string[]
  offsets?: [number, number][]
  special_tokens_mask?: number[]
  ids_no_special?: number[]
  /** True: equal to the text. */
  decoded?: string | true
}

interface GoldenPair {
  a: string
  b: string
  ids: number[]
  type_ids: number[]
  truncated_16_longest_first: { ids: number[]; type_ids: number[] }
  truncated_16_only_second: number[] | null
}

interface Batch {
  indices: number[]
  ids: number[][]
  attention_mask: number[][]
}

const folder = (name: string): string => sharedPath('models', 'pico', 'tokenizers', name)
const readGolden = (name: string): Golden => JSON.parse(readFileSync(`${folder(name)}/golden.json`, 'utf8')) as Golden
const plain = (encoded: Encoded | undefined) => ({
  ids: [...(encoded?.ids ?? [])],
  type_ids: [...(encoded?.typeIds ?? [])],
})

// transformers does not trim the offsets of what it converts from vocab.json (GPT2Converter); those of byte-bpe's
// tokenizer.json are trimmed.
const sources = [
  { name: 'wordpiece', from: 'tokenizer.json', trimmed: true },
  { name: 'byte-bpe', from: 'tokenizer.json', trimmed: true },
  { name: 'unigram', from: 'tokenizer.json', trimmed: true },
  { name: 'llama-bpe', from: 'tokenizer.json', trimmed: true },
  { name: 'chat-bpe', from: 'tokenizer.json', trimmed: true },
  { name: 'wordpiece', from: 'vocab.txt', trimmed: true },
  { name: 'byte-bpe', from: 'vocab.json', trimmed: false },
]

describe.skipIf(!shared).each(sources)('$name from $from', ({ name, from, trimmed }) => {
  const open = () =>
    loadTokenizer(folderFiles(folder(name), { hidden: from === 'tokenizer.json' ? [] : ['tokenizer.json'] }))
  const golden = existsSync(folder(name)) ? readGolden(name) : undefined
  const { strings = [], pairs = [], truncated_16: truncated = [] } = golden ?? {}
  const texts = strings.map(({ text }) => text)

  test('knows its size and its special tokens', async () => {
    const tokenizer = await open()
    const { additional_special_tokens: _, ...special } = golden?.special ?? {}
    expect({ size: tokenizer.vocabularySize, special: tokenizer.specialTokens }).toEqual({
      size: golden?.vocab_size,
      special,
    })
  })

  test('gives the ids of all 61 strings', async () => {
    const encoded = await (await open()).encodeBatch(texts)
    expect(encoded.map(({ ids }, index) => [texts[index], [...ids]])).toEqual(
      strings.map(({ text, ids }) => [text, ids]),
    )
    expect(strings.length).toBe(61)
  })

  test('gives offsets, tokens and special token masks', async () => {
    const tokenizer = await open()
    const short = strings.filter(({ offsets }) => offsets !== undefined)
    const encoded = await tokenizer.encodeBatch(
      short.map(({ text }) => text),
      { offsets: true, specialTokensMask: true },
    )
    const seen = encoded.map(({ ids, offsets, specialTokensMask }, index) => ({
      text: short[index]?.text,
      tokens: tokenizer.tokens(ids),
      offsets: trimmed ? [...(offsets ?? [])] : undefined,
      mask: [...(specialTokensMask ?? [])],
    }))
    const wanted = short.map(({ text, ids, tokens, offsets, special_tokens_mask: mask }) => ({
      text,
      tokens,
      offsets: trimmed ? offsets?.flat() : undefined,
      mask: mask ?? ids.map(() => 0),
    }))
    expect(seen).toEqual(wanted)
  })

  test('leaves special tokens out when told to', async () => {
    // Golden texts longer than 200 characters have ids with special tokens only.
    const short = strings.filter(({ text }) => Array.from(text).length <= 200)
    const encoded = await (
      await open()
    ).encodeBatch(
      short.map(({ text }) => text),
      { addSpecialTokens: false },
    )
    expect(encoded.map(({ ids }) => [...ids])).toEqual(short.map(({ ids, ids_no_special: bare }) => bare ?? ids))
  })

  test('decodes', async () => {
    const tokenizer = await open()
    const decodable = strings.filter(({ decoded }) => decoded !== undefined)
    const decoded = await Promise.all(decodable.map(({ ids }) => tokenizer.decode(ids)))
    expect(decoded).toEqual(decodable.map(({ text, decoded }) => (decoded === true ? text : decoded)))
  })

  test('encodes and truncates pairs', async () => {
    const tokenizer = await open()
    const both = pairs.map(({ a, b }) => [a, b] as const)
    const whole = await tokenizer.encodePairs(both)
    const cut = await tokenizer.encodePairs(both, { maxLength: 16 })
    expect(whole.map(plain)).toEqual(pairs.map(({ ids, type_ids }) => ({ ids, type_ids })))
    expect(cut.map(plain)).toEqual(pairs.map((pair) => pair.truncated_16_longest_first))
    const second = pairs.filter((pair) => pair.truncated_16_only_second !== null)
    const cutSecond = await tokenizer.encodePairs(
      second.map(({ a, b }) => [a, b] as const),
      { maxLength: 16, truncation: 'only_second' },
    )
    expect(cutSecond.map(({ ids }) => [...ids])).toEqual(second.map((pair) => pair.truncated_16_only_second))
    expect(pairs.length).toBe(8)
  })

  test('truncates every string that is too long', async () => {
    const encoded = await (await open()).encodeBatch(texts, { maxLength: 16 })
    expect(truncated.map(({ index }) => [...(encoded[index]?.ids ?? [])])).toEqual(truncated.map(({ ids }) => ids))
    expect(truncated.length).toBeGreaterThan(10)
  })

  const batches = (['right', 'left'] as const).flatMap((side) => [
    { key: `batch_longest_${side}`, side, maxLength: 1_000, multipleOf: 1 },
    { key: `batch_multiple8_max16_${side}`, side, maxLength: 16, multipleOf: 8 },
  ])
  // byte-bpe has no pad token, so the reference cannot pad with it.
  test.skipIf(name === 'byte-bpe').each(batches)('pads as $key', async ({ key, side, maxLength, multipleOf }) => {
    const tokenizer = await open()
    const batch = golden?.[key] as Batch
    const encoded = await tokenizer.encodeBatch(
      batch.indices.map((index) => texts[index] ?? ''),
      { maxLength },
    )
    const padded = tokenizer.pad(encoded, { side, multipleOf })
    expect({ ids: [...padded.inputIds], mask: [...padded.attentionMask] }).toEqual({
      ids: batch.ids.flat(),
      mask: batch.attention_mask.flat(),
    })
    expect([padded.rows, padded.cols]).toEqual([batch.ids.length, batch.ids[0]?.length])
  })
})

describe.skipIf(!shared).each(['llama-bpe', 'chat-bpe'])('chats of %s', (name) => {
  const golden = existsSync(folder(name)) ? readGolden(name) : undefined
  const chats = golden?.chat ?? []

  test('are rendered to the same text', async () => {
    const tokenizer = await loadTokenizer(folderFiles(folder(name)))
    const rendered = chats.map((chat) =>
      tokenizer.renderChat(chat.messages, { addGenerationPrompt: chat.add_generation_prompt }),
    )
    expect(rendered).toEqual(chats.map(({ text }) => text))
    expect(chats.length).toBeGreaterThanOrEqual(10)
  })

  test('are encoded without special tokens of the tokenizer', async () => {
    const tokenizer = await loadTokenizer(folderFiles(folder(name)))
    const withIds = chats.filter(({ ids }) => ids !== undefined)
    const encoded = await tokenizer.encodeBatch(
      withIds.map(({ text }) => text),
      { addSpecialTokens: false },
    )
    expect(encoded.map(({ ids }) => [...ids])).toEqual(withIds.map(({ ids }) => ids))
  })
})

test.skipIf(!shared)("a chat whose roles do not alternate fails with the template's own message", async () => {
  const tokenizer = await loadTokenizer(folderFiles(folder('chat-bpe')))
  const { messages, message } = readGolden('chat-bpe').chat_error ?? { messages: [], message: 'none' }
  expect(faultOf(() => tokenizer.renderChat(messages))).toMatchObject({
    code: 'chat.template',
    parts: { what: message },
  })
})

describe.skipIf(!shared)('sentence-transformers folders', () => {
  const folders = [
    'mean-normalize',
    'cls-dense',
    'lasttoken-qwen2',
    'weightedmean-neox',
    'mean-max-dense-bin',
    'saved-by-5.7',
    'no-modules',
  ]

  test.each(folders)('%s gives the golden input ids', async (name) => {
    const place = sharedPath('models', 'pico', 'sentence-transformers', name)
    const {
      texts,
      input_ids: ids,
      max_seq_length: maxLength,
    } = JSON.parse(readFileSync(`${place}/golden.json`, 'utf8')) as {
      texts: string[]
      input_ids: number[][]
      max_seq_length: number | null
    }
    const tokenizer = await loadTokenizer(folderFiles(place))
    const lowered = name === 'mean-max-dense-bin' ? texts.map((text) => text.toLowerCase()) : texts
    const encoded = await tokenizer.encodeBatch(lowered, { maxLength: maxLength ?? 48 })
    expect(encoded.map(({ ids }) => [...ids])).toEqual(ids)
  })
})

const sides: readonly Side[] = ['left', 'right']

test.skipIf(!shared).each(sides)('text is cut off on the %s', async (truncationSide) => {
  const tokenizer = await loadTokenizer(folderFiles(folder('wordpiece')))
  const [whole] = await tokenizer.encodeBatch(['hello world hello world'])
  const [cut] = await tokenizer.encodeBatch(['hello world hello world'], { maxLength: 6, truncationSide })
  const body = [...(whole?.ids ?? [])].slice(1, -1)
  expect([...(cut?.ids ?? [])]).toEqual([2, ...(truncationSide === 'left' ? body.slice(-4) : body.slice(0, 4)), 3])
})
