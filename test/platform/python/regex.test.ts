import { expect, test } from 'vitest'
import { pythonRegex, PythonRegexError } from '#platform/python'

/** Answers of CPython 3.11's `re`, asked once. */
test.each<[string, string, (string | string[])[]]>([
  ['#### (\\-?[0-9\\.\\,]+)', 'so\n#### -1,000.5 #### 7', ['-1,000.5', '7']],
  [
    '(-?[$0-9.,]{2,})|(-?[0-9]+)',
    'a 12 b 3',
    [
      ['12', ''],
      ['', '3'],
    ],
  ],
  ['(?s)a.b', 'a\nb', ['a\nb']],
  ['a.b', 'a\rb a\nb', ['a\rb']],
  ['(?P<x>\\w)(?P=x)', 'hello ää', [['l'], ['ä']].flat()],
  ['\\d+', '12 ٣٤', ['12', '٣٤']],
  ['end$', 'end\n', ['end']],
  ['end\\Z', 'end\n', []],
  ['\\bä\\b', 'ä äb', ['ä']],
  ['[^\\w\\s]', 'a-b c!', ['-', '!']],
  ['x*', 'axb', ['', 'x', '', '']],
  ['(?<=is )[A-J]', 'it is C', ['C']],
  ['a{,2}b', 'aab', ['aab']],
  ['{x}', 'a{x}', ['{x}']],
])('findall %s', (pattern, text, found) => {
  expect(pythonRegex(pattern).findAll(text)).toEqual(found)
})

test('sub names groups by number and name', () => {
  expect(pythonRegex('(a)(?P<b>.)').sub('\\2\\g<b>\\1', 'ax ay')).toBe('xxa yya')
  expect(pythonRegex('x*').sub('-', 'abxd')).toBe('-a-b--d-')
})

test.each(['(', '[a', '\\', '(?P<1>a)', '(?<x>a', '*a'])('%s is refused', (pattern) => {
  expect(() => pythonRegex(pattern).findAll('a')).toThrow(PythonRegexError)
})

test('search finds a pattern anywhere, match at the beginning, fullmatch as the whole, call after call', () => {
  const regex = pythonRegex('b(c)?')
  for (let call = 0; call < 2; call++) {
    expect(regex.search('abc')).toEqual(['bc', 'c'])
    expect(regex.match('abc')).toBeUndefined()
    expect(regex.match('bcd')).toEqual(['bc', 'c'])
    expect(regex.fullMatch('bcd')).toBeUndefined()
    expect(regex.fullMatch('abc')).toBeUndefined()
    expect(regex.fullMatch('bc')).toEqual(['bc', 'c'])
  }
})
