import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Fault } from '#core'
import { parseWith, parseYaml } from '#files/formats'

function faultOf(work: () => unknown): { code: string; place: string; what: string; hint: string | undefined } {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault)
      return { code: error.code, place: error.parts.place, what: error.parts.what, hint: error.hint }
    throw error
  }
  throw new Error('no fault')
}

describe('a YAML text', () => {
  test('becomes plain values', () => {
    expect(parseYaml('a: 1\nb: [x, 1e-5, true, null]\nc:\n  - {d: "é"}\n', 'x.yaml')).toEqual({
      a: 1,
      b: ['x', 1e-5, true, null],
      c: [{ d: 'é' }],
    })
    expect(parseYaml('', 'x.yaml')).toBe(null)
    expect(parseYaml('date: 2024-01-01\nanswer: no', 'x.yaml')).toEqual({ date: '2024-01-01', answer: 'no' })
  })

  test('may merge maps and repeat anchors', () => {
    expect(parseYaml('base: &b {x: 1, y: 2}\nc:\n  <<: *b\n  y: 3\nd: *b', 'x.yaml')).toEqual({
      base: { x: 1, y: 2 },
      c: { x: 1, y: 3 },
      d: { x: 1, y: 2 },
    })
  })

  test.each([
    ['a: 1\n b: 2\n', 'x.yaml:1:4'],
    ['a: 1\nb: 2\na: 3\n', 'x.yaml:3:1'],
    ['a: 1\nb: !!python/object/apply:os.system [touch PWNED]', 'x.yaml:2:4'],
    ['a: !custom 1', 'x.yaml:1:4'],
    ['a: [1, 2', 'x.yaml:1:9'],
    ['a: 1\n---\nb: 2', 'x.yaml:2:1'],
    ['? [a, b]\n: 1', 'x.yaml:1:3'],
    ['a: *nowhere', 'x.yaml'],
  ])('%j is refused where it is wrong', (text, place) => {
    expect(faultOf(() => parseYaml(text, 'x.yaml'))).toMatchObject({ code: 'format.yaml', place })
  })

  test.each([
    ['flow sequences', '['.repeat(100_000)],
    ['flow maps', '{a: '.repeat(100_000)],
    ['sequences on a line', '- '.repeat(100_000)],
    ['indented maps', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['an alias into itself', 'a: &a [*a]'],
    [
      'a billion laughs',
      [
        'a: &a [x, x, x, x, x, x, x, x, x, x]',
        ...'bcdefghi'
          .split('')
          .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(', ')}]`),
      ].join('\n'),
    ],
    ['one alias too often', `- &a x\n${'- *a\n'.repeat(1_001)}`],
    ['many anchors, each with an alias', Array.from({ length: 5_000 }, (_, i) => `- &a${i} x\n- *a${i}`).join('\n')],
    ['very many parts', '[1,'.concat('1,'.repeat(300_000))],
    ['more text than anyone writes', `a: ${'x'.repeat(5 * 2 ** 20)}`],
  ])('%s end at a limit', (_name, text) => {
    expect(faultOf(() => parseYaml(text, 'x.yaml')).code).toBe('format.limit')
  })

  test('with very many keys is read in good time', { timeout: 20_000 }, () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `key${i}: ${i}`).join('\n')
    expect(Object.keys(parseYaml(text, 'x.yaml') as object)).toHaveLength(20_000)
  })

  test('with a key like __proto__ touches no prototype', () => {
    const value = parseYaml('__proto__: {polluted: 1}\nconstructor: 2', 'x.yaml') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })
})

describe('a text with a schema', () => {
  const schema = z.strictObject({
    models: z.array(z.strictObject({ name: z.string(), weight: z.number().optional() })),
    method: z.enum(['ties', 'dare_ties']).default('ties'),
    density: z.union([z.number(), z.strictObject({ from: z.number(), to: z.number() })]).optional(),
  })

  test('becomes a checked value', () => {
    const value = parseWith(schema, 'models: [{name: a}]', 'yaml', 'x.yaml')
    const method: 'ties' | 'dare_ties' = value.method
    expect({ ...value, method }).toEqual({ models: [{ name: 'a' }], method: 'ties' })
    expect(parseWith(schema, '{"models": []}', 'json', 'x.json')).toEqual({ models: [], method: 'ties' })
  })

  test('names the nearest key for an unknown one, where it stands', () => {
    expect(faultOf(() => parseWith(schema, 'models:\n  - name: a\n    wieght: 1\n', 'yaml', 'x.yaml'))).toEqual({
      code: 'usage.value',
      place: 'x.yaml:3:5',
      what: 'unknown key models[0].wieght',
      hint: 'did you mean weight?',
    })
    expect(faultOf(() => parseWith(schema, '{"models": [],\n "metod": "ties"}', 'json', 'x.json'))).toMatchObject({
      place: 'x.json:2:2',
      hint: 'did you mean method?',
    })
    expect(
      faultOf(() => parseWith(schema, 'models: []\ndensity: {from: 1, to: 2, bye: 3}', 'yaml', 'x.yaml')),
    ).toMatchObject({ place: 'x.yaml:2:27' })
  })

  test.each([
    ['models:\n  - name: 5\n', 'x.yaml:2:11', 'models[0].name'],
    ['models: []\ndensity:\n  from: x\n  to: 2\n', 'x.yaml:3:9', 'density.from'],
    ['method: ties', 'x.yaml:1:1', 'models'],
    ['models: []\ndensity: high', 'x.yaml:2:10', 'density'],
    ['[]', 'x.yaml:1:1', 'document'],
  ])('%j is refused where it does not fit', (text, place, path) => {
    const fault = faultOf(() => parseWith(schema, text, 'yaml', 'x.yaml'))
    expect([fault.code, fault.place, fault.what.split(':')[0]]).toEqual(['usage.value', place, path])
  })

  test('names the nearest word for an unknown one', () => {
    expect(faultOf(() => parseWith(schema, 'models: []\nmethod: tise', 'yaml', 'x.yaml'))).toMatchObject({
      place: 'x.yaml:2:9',
      hint: 'did you mean ties?',
    })
  })

  test('may carry another code, and keeps that of a broken text', () => {
    expect(faultOf(() => parseWith(schema, '{}', 'json', 'x.json', { code: 'config.value' })).code).toBe('config.value')
    expect(faultOf(() => parseWith(schema, '{', 'json', 'x.json', { code: 'config.value' })).code).toBe('format.json')
  })
})
