import { describe, expect, test } from 'vitest'
import { cutAtStop, holdsStop, settledText } from '../../../src/model/language/stop-strings.ts'

describe('what is settled of a text', () => {
  test.each([
    ['nothing is waited for', 'a\n', [], 'a\n'],
    ['bytes that are no character yet', 'na\ufffd\ufffd', [], 'na'],
    ['a character that is none, with more behind it', 'na\ufffdb', [], 'na\ufffdb'],
    ['the beginning of a stop string', 'It ends. Que', ['Question:'], 'It ends. '],
    ['the longest of several beginnings', 'x\n\n', ['\n\n\n', '\nA'], 'x'],
    ['a beginning behind a broken character', 'ab\ufffd', ['bc'], 'a'],
    ['an empty stop string', 'abc', [''], 'abc'],
    ['a text shorter than its stop string', 'Q', ['Question:'], ''],
  ])('%s', (_, text, until, wanted) => {
    expect(settledText(text, until)).toBe(wanted)
  })

  test('is the beginning of every text that it may become', () => {
    const [whole, until] = ['one. two; Question: three', ['; Q', 'Question:']]
    for (let length = 0; length <= whole.length; length++) {
      const text = whole.slice(0, length)
      expect(holdsStop(text, until) ? '' : settledText(text, until)).toBe(
        cutAtStop(whole, until).slice(0, holdsStop(text, until) ? 0 : settledText(text, until).length),
      )
    }
  })
})

test('a text is cut at the first of a stop string', () => {
  // `"a. b. c".split(".")[0]`
  expect(cutAtStop('a. b. c', ['.'])).toBe('a')
})

test('one stop string after the other', () => {
  expect(cutAtStop('a b c d', ['c', '', 'b'])).toBe('a ')
})
