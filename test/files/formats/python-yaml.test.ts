import { expect, test } from 'vitest'
import { parsePythonYaml } from '#files/formats'

const whole = (value: number) => ({ kind: 'float', value })

/** What PyYAML 6.0 makes of each, asked once. */
test.each([
  ['yes', true],
  ['Off', false],
  ['y', 'y'],
  ['nULL', 'nULL'],
  ['~', null],
  ['010', 8],
  ['08', '08'],
  ['0x1F', 31],
  ['0b11', 3],
  ['1_000', 1000],
  ['1e3', '1e3'],
  ['1.0e+3', whole(1000)],
  ['1.0e3', '1.0e3'],
  ['1.0', whole(1)],
  ['.5', 0.5],
  ['1:30', 90],
  ['-.inf', -Infinity],
  ['"no"', 'no'],
])('%s', (text, value) => {
  expect(parsePythonYaml(`a: ${text}`, 'a.yaml')).toEqual({ a: value })
})

test('of two equal keys the later one counts, merge keys come first', () => {
  expect(parsePythonYaml('a: 1\na: 2\nb: {<<: {q: 1, r: 3}, r: 2}', 'a.yaml')).toEqual({ a: 2, b: { q: 1, r: 2 } })
})

test('a quoted text may go on further left than its key', () => {
  expect(parsePythonYaml('a:\n  - b: "one\ntwo"\n    c: 1', 'a.yaml')).toEqual({ a: [{ b: 'one two', c: 1 }] })
})

test.each([
  [
    'a:\n  - b: "{\n      \\"x\\": \\"y\\"\n    }"\n    c: "[\n     \\\\\\"\n   ]"\n',
    [{ b: '{ "x": "y" }', c: '[ \\" ]' }],
  ],
  ["a:\n  - b: '{ ''so''\n  }'\n", [{ b: "{ 'so' }" }]],
])('a line that stands too far left is of the quoted text, also after a quotation mark: %j', (text, value) => {
  expect(parsePythonYaml(text, 'a.yaml')).toEqual({ a: value })
})

test('brackets after a text that has ended are refused, as PyYAML refuses them', () => {
  expect(() => parsePythonYaml('a:\n  b: one\n}\n', 'a.yaml')).toThrow(/a\.yaml:3:1/)
  expect(() => parsePythonYaml('a:\n  b: "one"\n}\n', 'a.yaml')).toThrow(/a\.yaml:3:1/)
})

test('tags that are named are resolved, others are refused with their place', () => {
  expect(parsePythonYaml('a: !function utils.f', 'a.yaml', { tags: { '!function': (name) => `f ${name}` } })).toEqual({
    a: 'f utils.f',
  })
  expect(() => parsePythonYaml('b: 1\na: !!python/object:os.system x', 'a.yaml')).toThrow(/a\.yaml:2:4/)
})
