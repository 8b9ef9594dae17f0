/** Templates of rows: the same text as Jinja2 in lm-evaluation-harness's environment, and failures where it fails. */
import { describe, expect, test } from 'vitest'
import { parseTemplate, renderRow, TemplateError } from '#platform/jinja'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  readonly row: Readonly<Record<string, unknown>>
  readonly cases: readonly { readonly template: string; readonly text?: string; readonly fails?: true }[]
}

const { row, cases } = goldenOf<Golden>('platform/jinja', 'rows-3.1.6')

const render = (template: string): string => renderRow(parseTemplate(template, 'rows'), row)

describe('templates of rows print as in Jinja2 3.1.6 (oracles/templates.py)', () => {
  test.each(cases.filter(({ fails }) => fails === undefined))('$template', ({ template, text }) => {
    expect(render(template)).toBe(text)
  })

  test.each(cases.filter(({ fails }) => fails === true))('$template fails', ({ template }) => {
    expect(() => render(template)).toThrow(TemplateError)
  })
})

test('integers grow as in Python, to the size that it prints', () => {
  const text = (template: string): string => renderRow(parseTemplate(template, 'rows'), { id: 9007199254740993n })
  expect(
    text('{{ 9007199254740991 * 3 }} {{ id - 1 }} {{ -id }} {{ id == id + 1 }} {{ "9007199254740993"|int }}'),
  ).toBe('27021597764222973 9007199254740992 -9007199254740993 False 9007199254740993')
  const squared = `{% set ns = namespace(x=99) %}{% for _ in range(20) %}{% set ns.x = ns.x * ns.x %}{% endfor %}`
  expect(() => text(squared)).toThrow('too large')
})
