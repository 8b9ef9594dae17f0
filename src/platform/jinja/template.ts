/** Templates parsed once and rendered often. */
import type { Dialect } from './dialect.ts'
import { newBudget } from './budget.ts'
import { run } from './execute.ts'
import { globals } from './globals.ts'
import type { Program } from './nodes.ts'
import { parse } from './parse.ts'
import { json, str } from './print.ts'
import { charactersOf, fromJson, TemplateError, type Value } from './values.ts'

/** The longest published templates have some 20,000 characters. */
const longestTemplate = 1_000_000

/** Throws `TemplateError`. */
export function parseTemplate(text: string, dialect: Dialect): Program {
  if (text.length > longestTemplate) throw new TemplateError('the template is too long')
  try {
    return parse(text, dialect)
  } catch (error) {
    if (error instanceof TemplateError)
      throw new TemplateError(`not a template this program can read: ${error.message}`)
    throw error instanceof RangeError ? new TemplateError('the template nests too deep') : error
  }
}

/**
 * The template with the fields of `row` as its names; a name that is not there is an error where it is used. Throws
 * `TemplateError`.
 */
export function renderRow(program: Program, row: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(row).map(([name, value]): [string, Value] => [name, fromJson(value)])
  const budget = newBudget(
    given.reduce((sum, [, value]) => sum + charactersOf(value), 0),
    'rows',
  )
  return run(program, new Map([...Object.entries(globals(budget, new Date(0))), ...given]), budget)
}

/** Python's `str()` of a value as rows hold it. */
export function pythonText(value: unknown): string {
  const own = fromJson(value)
  return str(own, newBudget(charactersOf(own)))
}

/** `json.dumps(value, indent=2, ensure_ascii=False)`. */
export function pythonJson(value: unknown): string {
  const own = fromJson(value)
  return json(
    own,
    { ensureAscii: false, indent: '  ', separators: [',', ': '], sortKeys: false },
    newBudget(8 * charactersOf(own)),
  )
}
