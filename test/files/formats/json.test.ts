import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { parseJson, type JsonOptions } from '#files/formats'

function faultOf(text: string | Uint8Array, options?: JsonOptions): [code: string, place: string] {
  try {
    parseJson(text, 'x.json', options)
  } catch (error) {
    if (error instanceof Fault) return [error.code, error.parts.place]
    throw error
  }
  return ['none', '']
}

/** The value, or that it was refused in the expected way. */
function outcome(work: () => unknown, error: typeof Fault | typeof SyntaxError): unknown {
  try {
    return { value: work() }
  } catch (thrown) {
    if (thrown instanceof error) return 'refused'
    throw thrown
  }
}

describe('a JSON text', () => {
  test('means what JSON.parse says', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'large', maxDepth: 10 }), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
        const text = `${space}${json}${space}`
        expect(parseJson(text, 'x.json')).toEqual(JSON.parse(text))
        expect(parseJson(JSON.stringify(JSON.parse(text), null, 2), 'x.json')).toEqual(JSON.parse(text))
      }),
      { seed: 1 },
    )
  })

  test('is refused exactly when JSON.parse refuses it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\u00e9',
      '\\x',
      '0',
      '01',
      '-',
      '1.5e3',
      '1.',
      '.5',
      'e',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\u0001',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        expect(outcome(() => parseJson(text, 'x.json'), Fault)).toEqual(outcome(() => JSON.parse(text), SyntaxError))
      }),
      { seed: 1, numRuns: 2_000 },
    )
  })

  test.each([
    ['{\n  "a": 1,\n  "b": }', '3:8'],
    ['[1, 2', '1:6'],
    ['', '1:1'],
    ['{"a": 1} x', '1:10'],
    ['{"a" 1}', '1:6'],
    ['"a\nb"', '1:3'],
    ['"a\\x"', '1:4'],
    ['["a', '1:2'],
    ['[01]', '1:3'],
  ])('%j is refused at line and column', (text, where) => {
    expect(faultOf(text)).toEqual(['format.json', `x.json:${where}`])
  })

  test('nested 100,000 deep is refused without a stack overflow', () => {
    expect(faultOf('['.repeat(100_000))[0]).toBe('format.limit')
    expect(faultOf('{"a":'.repeat(100_000))[0]).toBe('format.limit')
    expect(faultOf('[[[]]]', { maxDepth: 2 })[0]).toBe('none')
    expect(faultOf('[[[[]]]]', { maxDepth: 2 })[0]).toBe('format.limit')
  })

  test('may hold NaN and Infinity only when asked', () => {
    const text = '[NaN, Infinity, -Infinity, -1]'
    expect(faultOf(text)[0]).toBe('format.json')
    expect(parseJson(text, 'x.json', { allowNaN: true })).toEqual([Number.NaN, Infinity, -Infinity, -1])
  })

  test('with a key like __proto__ touches no prototype', () => {
    const value = parseJson('{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3}', 'x.json') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  test('keeps the last of two equal keys, or refuses them', () => {
    expect(parseJson('{"a": 1, "a": 2}', 'x.json')).toEqual({ a: 2 })
    expect(faultOf('{"a": 1,\n "a": 2}', { duplicates: 'refuse' })).toEqual(['format.json', 'x.json:2:2'])
    expect(faultOf('{"__proto__": 1, "__proto__": 2}', { duplicates: 'refuse' })[0]).toBe('format.json')
  })

  test('gives integers exactly when asked', () => {
    expect(parseJson('[18446744073709551615, -1, 1.0, 1e2]', 'x.json', { integers: 'bigint' })).toEqual([
      18446744073709551615n,
      -1n,
      1,
      100,
    ])
  })

  test('keeps integers exact where a number would not print as it stands', () => {
    const text = '[9007199254740991, 9007199254740993, -12345678901234567890, 1e30, 1000000000000000000]'
    const wanted = [9007199254740991, 9007199254740993n, -12345678901234567890n, 1e30, 1000000000000000000]
    expect(parseJson(text, 'x.json', { integers: 'exact' })).toEqual(wanted)
    // wherever the long number stands
    for (let before = 0; before < 40; before++)
      expect(parseJson(`${' '.repeat(before)}9007199254740993`, 'x.json', { integers: 'exact' })).toBe(
        9007199254740993n,
      )
  })

  test('may have any number of brackets next to each other and in texts, and none too deep', () => {
    const wide = `[${Array.from({ length: 400 }, () => '[{}]').join()}, "${'['.repeat(400)}"]`
    expect(parseJson(wide, 'x.json')).toEqual(JSON.parse(wide))
    const deep = (levels: number): string => `${wide.slice(0, -1)}, ${'['.repeat(levels - 1)}0${']'.repeat(levels)}`
    expect(faultOf(deep(256))).toEqual(['none', ''])
    expect(faultOf(deep(257))[0]).toBe('format.limit')
    expect(faultOf(`[${'{"a":'.repeat(256)}0${'}'.repeat(256)}]`)[0]).toBe('format.limit')
  })

  test('that begins inside a file is counted from there, under a code of its own', () => {
    const part = { start: { line: 7, column: 5 }, code: 'table.read' } as const
    expect(faultOf('[1,,2]', part)).toEqual(['table.read', 'x.json:7:8'])
    expect(faultOf('[1,\n ,2]', part)).toEqual(['table.read', 'x.json:8:2'])
    expect(faultOf('['.repeat(1_000), part)[0]).toBe('table.read')
    expect(faultOf('\ufeff1', part)).toEqual(['table.read', 'x.json:7:5'])
  })

  test.each([
    ['"\\\\"', '\\'],
    ['"a\\"b\\\\\\"c"', 'a"b\\"c'],
    ['"\\ud83d\\ude00"', '😀'],
  ])('read with care, the string %s ends where it ends', (text, wanted) => {
    expect(parseJson(`[${text}, NaN]`, 'x.json', { allowNaN: true })).toEqual([wanted, Number.NaN])
  })

  test('may come as bytes, with a byte order mark', () => {
    expect(parseJson(Buffer.from('\ufeff{"ä": "→"}'), 'x.json')).toEqual({ ä: '→' })
    expect(parseJson('\ufeff1', 'x.json')).toBe(1)
    expect(faultOf(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(['format.json', 'x.json'])
  })

  test('with a number of a million digits is refused', () => {
    expect(faultOf('9'.repeat(1_000_000))[0]).toBe('format.json')
  })
})
