import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locateYaml } from '#files/formats'
import { locateJson } from '../../../src/files/formats/json-places.ts'

test('places are those that a reader of YAML finds, of values and of keys, at any path', () => {
  const spaces = fc.constantFrom(undefined, 2)
  // YAML reads JSON, but not every JSON: a key of more than 1,024 characters, and text that YAML has no letters for
  const word = fc.string({ unit: 'grapheme-ascii', maxLength: 8 })
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      word,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(value, spaces, fc.array(fc.nat(3), { maxLength: 4 }), fc.boolean(), (given, indent, steps, ofKey) => {
      const text = JSON.stringify(given, undefined, indent)
      const path = pathIn(given, steps)
      expect(locateJson(text, 'x', path, ofKey && typeof path.at(-1) === 'string')).toBe(
        locateYaml(text, 'x', path, ofKey && typeof path.at(-1) === 'string'),
      )
    }),
  )
})

/** Goes down as the steps say, and one step beyond what is there now and then. */
function pathIn(value: unknown, steps: readonly number[]): PropertyKey[] {
  const path: PropertyKey[] = []
  let at = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) break
    const keys = Object.keys(at)
    const key = keys[step] ?? 'elsewhere'
    path.push(Array.isArray(at) ? step : key)
    at = (at as Record<string, unknown>)[key]
  }
  return path
}

test('of a key that occurs twice the last one counts; escaped keys and quotes are read', () => {
  expect(locateJson('{"a":1,"a":2}', 'x', ['a'])).toBe('x:1:12')
  expect(locateJson('{"\\u0061":{"q\\"":[",]}",3]}}', 'x', ['a', 'q"', 1])).toBe('x:1:25')
  expect(locateJson('\ufeff{"a":1}', 'x', ['a'])).toBe('x:1:7')
})
