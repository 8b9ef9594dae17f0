import { expect, test } from 'vitest'
import { joinTokenizers, settingsFor } from '#model/tokenizer'

const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false }
const first = {
  model: { type: 'BPE', vocab: { a: 0, b: 1, '<pad>': 9 }, merges: [] },
  added_tokens: [
    { id: 2, content: '<s>', ...plain, special: true },
    { id: 9, content: '<pad>', ...plain, special: false },
  ],
}
const second = {
  model: { type: 'BPE', vocab: { d: 1, c: 0, b: 2 }, merges: [] },
  added_tokens: [
    { id: 3, content: '<q>', ...plain, normalized: true, special: false },
    { id: 4, content: '<s>', ...plain, special: false },
  ],
}
const inputs = [
  // nine ids are beyond its embedding
  { name: 'first', json: first, rows: 3 },
  { name: 'second', json: second, rows: 5 },
]

test('a union keeps the first vocabulary and appends tokens by id, added ones after them with their own settings', () => {
  const { tokens, json } = joinTokenizers(inputs, { start: 0, union: true, more: ['<new>', 'a'] })
  expect(tokens).toEqual(['a', 'b', '<s>', 'c', 'd', '<q>', '<new>'])
  const { added_tokens: added } = json as typeof first
  expect(added.map(({ id, content }) => [id, content])).toEqual([
    [2, '<s>'],
    [3, 'c'],
    [4, 'd'],
    [5, '<q>'],
    [6, '<new>'],
  ])
  expect(added[0]).toMatchObject({ special: true })
  expect(added[3]).toMatchObject({ normalized: true })
})

test('settings that list the added tokens list those of the joined tokenizer, others are left alone', () => {
  const { json } = joinTokenizers(inputs, { start: 0, union: true })
  const listed = settingsFor(json, { eos_token: '<s>', added_tokens_decoder: { 2: { content: '<s>' } } })
  expect(listed['eos_token']).toBe('<s>')
  expect(Object.keys(listed['added_tokens_decoder'] as object)).toEqual(['2', '3', '4', '5'])
  expect((listed['added_tokens_decoder'] as Record<string, unknown>)['5']).toEqual({
    content: '<q>',
    ...plain,
    normalized: true,
    special: false,
  })
  expect(settingsFor(json, { eos_token: '<s>' })).toEqual({ eos_token: '<s>' })
})

test('what one model adds and another has as a piece is an added token, with the flags of the model that adds it', () => {
  const special = { id: 2, content: 'b', ...plain, special: true }
  const { tokens, json } = joinTokenizers(
    [...inputs.slice(0, 1), { name: 'third', json: { ...second, added_tokens: [special] }, rows: 3 }],
    {
      start: 0,
      union: true,
    },
  )
  expect(tokens).toEqual(['a', 'b', '<s>', 'c', 'd'])
  expect((json as typeof first).added_tokens.slice(0, 2)).toEqual([{ ...special, id: 1 }, first.added_tokens[0]])
})

test('of tokens that the normalizer makes one, only the first is looked for in normalised text', () => {
  const other = { model: { type: 'BPE', vocab: { '2': 0, '²': 1, '▁x': 2, x: 3 }, merges: [] }, added_tokens: [] }
  const patterns = (normalizer: unknown): unknown[] => {
    const start = { name: 'start', json: { ...first, normalizer }, rows: 3 }
    const { json } = joinTokenizers([start, { name: 'other', json: other, rows: 4 }], { start: 0, union: true })
    return (json as { added_tokens: { content: string; normalized: boolean }[] }).added_tokens
      .slice(1)
      .map(({ content, normalized }) => [content, normalized])
  }
  expect(patterns({ type: 'NFKC' })).toEqual([
    ['2', true],
    ['²', false],
    ['▁x', true],
    ['x', true],
  ])
  expect(patterns(null)).toEqual([
    ['2', true],
    ['²', true],
    ['▁x', true],
    ['x', true],
  ])
})
