import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { parsePythonLiteral } from '../../../src/task/probing/python-literal.ts'

/** What CPython's `ast.literal_eval` makes of them. */
const literals: readonly (readonly [string, unknown])[] = [
  ["('a', 'b')", ['a', 'b']],
  ["('only',)", ['only']],
  ["('no tuple')", 'no tuple'],
  [
    '[("the cat", 0, 4, 11), ("mat", 0, 19, 22)]',
    [
      ['the cat', 0, 4, 11],
      ['mat', 0, 19, 22],
    ],
  ],
  [String.raw`("it's", 'a \'b\'', "\"c\"")`, ["it's", "a 'b'", '"c"']],
  [String.raw`'\x41\u00e9\U0001F600\101\q\n'`, 'Aé😀A\\q\n'],
  [String.raw`r'\n' 'x' "y"`, String.raw`\nxy`],
  ["'''a'b\n'''", "a'b\n"],
  ['(1, -2.5e3, 1_000, .5, None, True)', [1, -2500, 1000, 0.5, null, true]],
  ['()', []],
  [' ( ( ) , [ ] ) ', [[], []]],
  ["'a\\\nb'", 'ab'],
]

describe('parsePythonLiteral', () => {
  test.each(literals)('%s', (text, value) => {
    expect(parsePythonLiteral(text, 'cell')).toEqual(value)
  })

  test.each([
    ["('a' 1)", 'a comma is missing'],
    ["('a', 'b'", 'a comma is missing'],
    ["'a", 'a string has no end'],
    ['__import__("os")', 'not a literal'],
    ['open', 'not a literal'],
    ['1 + 1', 'something follows the literal'],
    ['(,)', 'not a literal'],
    [String.raw`'\U00110000'`, 'no such character'],
    ['('.repeat(100_000), 'nested too deeply'],
  ])('refuses %.20s', (text, what) => {
    const attempt = (): unknown => parsePythonLiteral(text, 'cell')
    expect(attempt).toThrow(Fault)
    expect(attempt).toThrow(what)
  })
})
