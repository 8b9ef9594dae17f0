/** No template finishes with more work than it was given: whatever it repeats, each time is paid for. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromJson, globals, newBudget, parseTemplate, run, TemplateError, type Value } from '#platform/jinja'

/** What `newBudget(0)` holds, in steps; eight characters are one. */
const [steps, charactersPerStep] = [2_000_000, 8]

/** Whether the template's work fits in so many steps. */
function fits(template: string, allowed: number, variables: Readonly<Record<string, Value>> = {}): boolean {
  const budget = newBudget(0)
  budget.spend(steps - allowed)
  const program = parseTemplate(template, 'chat')
  try {
    run(program, new Map([...Object.entries(globals(budget, new Date(0))), ...Object.entries(variables)]), budget)
    return true
  } catch (error) {
    if (error instanceof TemplateError && error.message.startsWith('the template takes too many steps')) return false
    throw error
  }
}

/** Each copies all entries of the list `l`, the dict `d` with text keys, or both. */
const copies = [
  'dict(d)',
  'dict(**d)',
  'dict(l|map("list"))',
  'namespace(d)',
  'namespace(**d)',
  'd.copy()',
  'd.keys()',
  'd.values()',
  'd.items()',
  'd|items',
  'd|list',
  'd|dictsort',
  'd == e',
  'l == m',
  'l|list',
  'l|reverse',
  'l|sort',
  'l|unique',
  'l|map(attribute=0)',
  'l|select',
  'l|selectattr(0)',
  'l|reject',
  'l|batch(7)',
  'l|min',
  'l|join',
  'l|sum(start=[])',
  'l|string',
  'l|tojson',
  'd|tojson',
  'd|string',
  'l + []',
  'l * 1',
  'l[:]',
  'l[::-1]',
  'range(size)',
  'several(*l)',
  'several(**d)',
  '"{}".format(*l)',
  '[0]|batch(size, 0)',
  '",".join(k)',
  'k|join(",")',
]

/** Each reads or writes all characters of the text `s`. */
const readings = [
  's ~ ""',
  's.upper()',
  's|lower',
  's|trim',
  's is lower',
  's.strip("a")',
  '"b".strip(s)',
  '"b"|trim(s)',
  's.split(",")',
  's.splitlines()',
  's.startswith(pair)',
  's < r',
  '[s, r]|sort',
  '[s, r]|max',
  '"b".center(4, s)',
  '",".join([s])',
  '[s]|join',
  '"{}".format(s)',
  '"%s" % s',
  '"%s" % [s]',
  '[s]|tojson(separators=[s, s])',
  '[[[s]]]|string',
  's|replace("a", "b")',
  's|list',
  's|first',
  's[::2]',
  's|urlencode',
  's|indent',
  's in s',
  '[0]|map(attribute=s)|list',
  'strftime_now(s)',
]

const evaluating = (...expressions: string[]): string =>
  `{% macro several() %}{% if false %}{{ varargs }}{{ kwargs }}{% endif %}{% endmacro %}{% set _ = [${expressions.join(', ')}] %}`

function things(size: number): Record<string, Value> {
  const pairs = Array.from({ length: size }, (_, i) => [`k${i}`, i])
  const text = 'a'.repeat(size)
  return {
    size,
    l: fromJson(pairs),
    m: fromJson(pairs),
    k: fromJson(pairs.map(([key]) => key)),
    d: fromJson(Object.fromEntries(pairs)),
    e: fromJson(Object.fromEntries(pairs)),
    s: `${text}a`,
    r: `${text}b`,
    pair: { kind: 'tuple', items: [`${text}a`, ''] },
  }
}

describe('a template pays', () => {
  const size = 400

  test.each(copies)('for the entries of %s', (expression) => {
    expect(fits(evaluating(expression), size, things(size))).toBe(false)
  })

  test.each(readings)('for the characters of %s', (expression) => {
    expect(fits(evaluating(expression), (20 * size) / charactersPerStep, things(20 * size))).toBe(false)
  })

  test('for the entries of several expressions together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...copies), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 50, max: size }),
        (expressions, entries) => {
          expect(fits(evaluating(...expressions), entries * expressions.length, things(entries))).toBe(false)
        },
      ),
      { seed: 1, numRuns: 100 },
    )
  })

  test('for a dict that grows by one entry a turn', () => {
    const growing =
      '{% set ns = namespace(d={}) %}{% for i in range(40000) %}{% set ns.d = dict(ns.d, **{i|string: i}) %}{% endfor %}'
    expect(fits(growing, steps)).toBe(false)
  })

  test('although it makes a number that is none', () => {
    expect(fits('{% set inf = 10 ** 400 %}{% set _ = "a" * (inf - inf) %}', steps)).toBe(false)
  })

  // All with all, and sums of lists, are not in proportion.
  test.each([...copies, ...readings].filter((one) => one !== 'l|unique' && one !== 'l|sum(start=[])'))(
    'no more than a few times for %s',
    (expression) => {
      expect(fits(evaluating(expression), 60 * size, things(size))).toBe(true)
    },
  )
})

test('as many arguments as a template can pay for are passed on, not lost on the stack', () => {
  expect(
    fits(
      '{% macro count() %}{{ varargs|length }}{% endmacro %}{% set l = range(100000)|list %}{{ count(*(l + l)) }}',
      steps,
    ),
  ).toBe(true)
})
