import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Literal, literalEval, PythonLiteralError } from '#platform/python'

test.each<[string, Literal]>([
  ["['a', \"b's\"]", ['a', "b's"]],
  ["('x',)", ['x']],
  ["('x')", 'x'],
  ['()', []],
  [' ( ( ) , [ ] ) ', [[], []]],
  [
    '[("the cat", 0, 4, 11), ("mat", 0, 19, 22)]',
    [
      ['the cat', 0, 4, 11],
      ['mat', 0, 19, 22],
    ],
  ],
  [String.raw`("it's", 'a \'b\'', "\"c\"")`, ["it's", "a 'b'", '"c"']],
  ["'''a'b\n'''", "a'b\n"],
  ["'a\\\nb'", 'ab'],
  ['(1_000, .5)', [1000, 0.5]],
  [
    "{'a': 1, 'b': [None, True, 1.0, -2.5e3]}",
    { a: 1, b: [null, true, { kind: 'float', value: 1 }, { kind: 'float', value: -2500 }] },
  ],
  [`"""it's 'so'"""`, "it's 'so'"],
  ["'one' 'two'", 'onetwo'],
  [String.raw`'\x41\u00e9\U0001F600\101\n\q'`, 'Aé😀A\n\\q'],
  [String.raw`r'\n' 'x' "y"`, String.raw`\nxy`],
  ['{1, 2}', [1, 2]],
  ['1, 2', [1, 2]],
  ['0x1f', 31],
])('%s', (text, value) => {
  expect(literalEval(text)).toEqual(value)
})

test.each([
  '08',
  '[1',
  'a',
  'f(1)',
  "'a' + 'b'",
  '1 2',
  '[1,,2]',
  '(,)',
  "('a' 1)",
  "('a', 'b'",
  "'a",
  String.raw`'\U00110000'`,
  `${'['.repeat(500)}${']'.repeat(500)}`,
  '',
])('%s is none', (text) => {
  expect(() => literalEval(text)).toThrow(PythonLiteralError)
})

test('what JSON writes of texts is read back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const written = JSON.stringify(texts).replaceAll('\\/', '/')
      expect(literalEval(written)).toEqual(texts)
    }),
  )
})
