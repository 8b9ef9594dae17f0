import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Literal, literalEval, PythonLiteralError } from '#platform/python'

test.each<[string, Literal]>([
  ["['a', \"b's\"]", ['a', "b's"]],
  ["('x',)", ['x']],
  ["('x')", 'x'],
  [
    "{'a': 1, 'b': [None, True, 1.0, -2.5e3]}",
    { a: 1, b: [null, true, { kind: 'float', value: 1 }, { kind: 'float', value: -2500 }] },
  ],
  [`"""it's 'so'"""`, "it's 'so'"],
  ["'one' 'two'", 'onetwo'],
  [String.raw`'\x41\u00e9\n\q'`, 'Aé\n\\q'],
  [String.raw`r'\n'`, '\\n'],
  ['{1, 2}', [1, 2]],
  ['1, 2', [1, 2]],
  ['0x1f', 31],
])('%s', (text, value) => {
  expect(literalEval(text)).toEqual(value)
})

test.each(['08', '[1', 'a', 'f(1)', "'a' + 'b'", '1 2', '[1,,2]', `${'['.repeat(500)}${']'.repeat(500)}`, ''])(
  '%s is none',
  (text) => {
    expect(() => literalEval(text)).toThrow(PythonLiteralError)
  },
)

test('what JSON writes of texts is read back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const written = JSON.stringify(texts).replaceAll('\\/', '/')
      expect(literalEval(written)).toEqual(texts)
    }),
  )
})
