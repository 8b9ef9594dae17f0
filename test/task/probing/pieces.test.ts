import { describe, expect, test } from 'vitest'
import type { ProbeInput, ProbeInstance, TaskType } from '../../../src/task/probing/data-set.ts'
import { type Piece, piecesOf } from '../../../src/task/probing/pieces.ts'

const instance = (inputs: readonly ProbeInput[], contexts: readonly string[] = []): ProbeInstance => ({
  id: '1',
  inputs,
  contexts,
  label: 0,
  split: 'train',
})
const at = (text: string, context: number, start: number, slot?: number): ProbeInput => ({
  text,
  span: { context, start, end: start + text.length },
  slot,
})
const [pair, contexts] = [
  [{ text: 'One.' }, { text: 'Two.' }],
  ['a big cat', 'a dog'],
]
const words = [at('cat', 0, 6), at('dog', 1, 2)]
const said = (pieces: readonly (readonly Piece[])[]): (string | undefined)[][] =>
  pieces.map((slot) =>
    slot.map(({ text, start, end }) => (start === undefined ? text : Array.from(text).slice(start, end).join(''))),
  )
const of = (
  taskType: TaskType,
  one: ProbeInstance,
  separator = '',
  profile: 'corrected' | 'holmes' = 'corrected',
): Piece[][] => piecesOf(one, taskType, { separator, profile })

describe('piecesOf', () => {
  test('two sentences stand side by side, or pass as one with the separator between', () => {
    expect(said(of('SENTENCE_PAIR_BI', instance(pair)))).toEqual([['One.'], ['Two.']])
    expect(said(of('SENTENCE_PAIR_CROSS', instance(pair), '[SEP]'))).toEqual([['One. [SEP] Two.']])
    expect(said(of('SENTENCE_PAIR_CROSS', instance(pair)))).toEqual([['One.  Two.']])
  })

  test('tokens are parts of their contexts', () => {
    expect(said(of('SENTENCE_TOKENS', instance([at('big', 0, 2), at('cat', 0, 6)], contexts)))).toEqual([
      ['big'],
      ['cat'],
    ])
    expect(of('SENTENCE_PAIR_TOKENS_BI', instance(words, contexts)).flat()).toEqual([
      { text: 'a big cat', start: 6, end: 9 },
      { text: 'a dog', start: 2, end: 5 },
    ])
  })

  test('spans of one slot are averaged, slots in their order', () => {
    const spans = [at('cat', 0, 6, 1), at('a', 0, 0, 0), at('big', 0, 2, 1)]
    expect(said(of('SENTENCE_SPANS', instance(spans, contexts)))).toEqual([['a'], ['cat', 'big']])
  })

  test.each(['', '</s>', '[SEP]'])('with the separator "%s" the second word is found where it is', (separator) => {
    expect(said(of('SENTENCE_PAIR_TOKENS_CROSS', instance(words, contexts), separator))).toEqual([['cat'], ['dog']])
  })

  test('Holmes looks seven characters on, which is right for [SEP] alone', () => {
    const holmes = (separator: string): unknown =>
      said(of('SENTENCE_PAIR_TOKENS_CROSS', instance(words, contexts), separator, 'holmes'))
    expect(holmes('[SEP]')).toEqual([['cat'], ['dog']])
    expect(holmes('')).toEqual([['cat'], ['']])
    expect(holmes('</s>')).toEqual([['cat'], ['og']])
  })

  test('offsets count code points', () => {
    const emoji = ['😀😀 cat', '😀 dog']
    expect(said(of('SENTENCE_PAIR_TOKENS_CROSS', instance([at('cat', 0, 3), at('dog', 1, 2)], emoji)))).toEqual([
      ['cat'],
      ['dog'],
    ])
  })
})
