import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareCodePoints, compareUnits, stripText } from '#core'

describe('order by code points', () => {
  test('is the order of UTF-8 bytes', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { seed: 1 },
    ))
  test('puts what lies beyond U+FFFF last, where UTF-16 does not', () => {
    const [beyond, below] = ['\u{1F600}', '\uFF5E']
    expect([beyond, below].sort()).toEqual([beyond, below])
    expect(compareCodePoints(beyond, below)).toBeGreaterThan(0)
  })
})

test('order by units is that of a plain sort, and 0 for equal texts', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect([a, b].sort((x, y) => compareUnits(x, y))).toEqual([a, b].sort())
      expect(compareUnits(a, a)).toBe(0)
    }),
    { seed: 1 },
  ))

describe('strip as Python strips', () => {
  test.each([
    ['  a b\t\n', 'a b'],
    ['\u001c\u0085\u3000a\u00a0', 'a'],
    ['\ufeff a', '\ufeff a'],
    ['\u200b', '\u200b'],
    [' \n ', ''],
    ['', ''],
  ])('%j', (text, want) => expect(stripText(text)).toBe(want))
})
