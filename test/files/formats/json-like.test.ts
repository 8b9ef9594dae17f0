import { describe, expect, test } from 'vitest'
import { jsonLike } from '#files/formats'

const original = '{"p": 0.0, "n": 7, "inner": {"list": [1.0, 2, -3e0, 0.5], "word": "4.0"}, "big": 1e300, "x": 5.0}'

describe('a JSON text with the floats of another', () => {
  test('whole numbers stay floats where they were, at any depth', () => {
    const value = { p: 0, n: 7, inner: { list: [1, 2, -3, 0.5], word: '4.0' }, big: 1e300 }
    expect(jsonLike(value, original, 'config.json')).toBe(`{
  "p": 0.0,
  "n": 7,
  "inner": {
    "list": [
      1.0,
      2,
      -3.0,
      0.5
    ],
    "word": "4.0"
  },
  "big": 1e+300
}
`)
  })

  test('a new value in a float’s place is a float, one of another kind is not', () => {
    expect(jsonLike({ p: 2, x: 'a', n: 7.5, more: 0 }, original, 'config.json')).toBe(
      '{\n  "p": 2.0,\n  "x": "a",\n  "n": 7.5,\n  "more": 0\n}\n',
    )
  })

  test('a text of Python’s json, and words that look like marks', () => {
    expect(jsonLike({ a: 1, b: 'float 2' }, '{"a": 1.0, "b": NaN}', 'config.json')).toBe(
      '{\n  "a": 1.0,\n  "b": "float 2"\n}\n',
    )
  })
})
