/** Turns and texts by hand, from `Message`, `format_turn` and `multiturn_to_singleturn` of lm-evaluation-harness 0.4.13. */
import { describe, expect, test } from 'vitest'
import {
  asChat,
  asText,
  joinDelimited,
  questionTurns,
  type Turn,
} from '../../../../src/task/harness/prompts/messages.ts'

const usual = { prefix: undefined, targetDelimiter: ' ', delimiter: '\n\n', place: 'toy' }
const shown: Turn[] = [
  { role: 'system', content: 'Be brief.', delimiter: '' },
  ...questionTurns({ ...usual, question: 'one?', answer: 'yes' }),
  ...questionTurns({ ...usual, question: 'two?', delimiter: '' }),
]

describe('a chat', () => {
  test('has a turn for every question and every answer', () => {
    expect(asChat(shown, { multiturn: true })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one?' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'two?' },
    ])
  })

  test('or one of the user, with what stands between them but not behind', () => {
    expect(asChat(shown, { multiturn: false })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one? yes\n\ntwo?' },
    ])
    const begun = [...shown.slice(1, 3), ...questionTurns({ ...usual, question: 'two?', prefix: 'So', delimiter: '' })]
    expect(asChat(begun, { multiturn: false })).toEqual([
      { role: 'user', content: 'one? yes\n\ntwo?' },
      { role: 'assistant', content: 'So' },
    ])
  })
})

describe('a text', () => {
  test('is the turns with their delimiters', () => expect(asText(shown)).toBe('Be brief.one? yes\n\ntwo?'))

  test('has no delimiter where one side brings white space', () => {
    expect(joinDelimited('a', 'b', '-')).toBe('a-b')
    expect([joinDelimited('a ', 'b', '-'), joinDelimited('a', '\nb', '-')]).toEqual(['a b', 'a\nb'])
    expect([joinDelimited('', 'b', '-'), joinDelimited('a', undefined, '-'), joinDelimited('', '', '-')]).toEqual([
      'b',
      'a',
      '',
    ])
  })

  test('an answer is a text, a choice by its number, the first of several', () => {
    const answered = (answer: string | number | readonly string[], choices?: readonly string[]): string =>
      asText(questionTurns({ ...usual, question: 'q', answer, choices }))
    expect([answered('yes'), answered(1, ['no', 'yes']), answered(['a', 'b'])]).toEqual([
      'q yes\n\n',
      'q yes\n\n',
      'q a\n\n',
    ])
    expect(() => answered(1)).toThrow(expect.objectContaining({ code: 'task.value' }))
  })
})
