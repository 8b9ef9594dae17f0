/** Templates parsed once and rendered often. The parser is that of @huggingface/jinja. */
import { parse, tokenize } from '@huggingface/jinja'
import { newBudget } from './budget.ts'
import { run } from './evaluate.ts'
import { globals } from './globals.ts'
import type { Program } from './nodes.ts'
import { json, str } from './print.ts'
import { charactersOf, fromJson, TemplateError, type Value } from './values.ts'

export interface ParseOptions {
  /** A line break after a block, and white space before one, are no text (Jinja2's `trim_blocks` and `lstrip_blocks`). */
  readonly trimmed: boolean
}

/** The longest published templates have some 20,000 characters. */
const longestTemplate = 1_000_000
/** The parser's search for tags is quadratic in runs of spaces. */
const longestRun = 2_000

/** Throws `TemplateError`. Without `trimmed` the last line break stays too (`keep_trailing_newline`). */
export function parseTemplate(text: string, { trimmed }: ParseOptions): Program {
  if (text.length > longestTemplate || new RegExp(`\\s{${longestRun}}`).test(text))
    throw new TemplateError('the template is too long, or has too long a run of spaces')
  try {
    // the parser drops one line break at the end
    const whole = !trimmed && text.endsWith('\n') ? `${text}\n` : text
    return parse(tokenize(whole, { trim_blocks: trimmed, lstrip_blocks: trimmed })) as Program
  } catch (error) {
    const said = error instanceof SyntaxError ? error.message : 'it ends too early, or nests too deep'
    throw new TemplateError(`not a template this program can read: ${said}`)
  }
}

/** The template with the fields of `row` as its names; a name that is not there is an error where it is used. Throws `TemplateError`. */
export function renderRow(program: Program, row: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(row).map(([name, value]): [string, Value] => [name, fromJson(value)])
  const budget = newBudget(given.reduce((sum, [, value]) => sum + charactersOf(value), 0))
  return run(program, new Map([...Object.entries(globals(budget, new Date(0))), ...given]), budget, { strict: true })
}

/** Python's `str()` of a value as rows hold it. */
export function pythonText(value: unknown): string {
  const own = fromJson(value)
  return str(own, newBudget(charactersOf(own)))
}

/** `json.dumps(value, indent=2, ensure_ascii=False)`. */
export function pythonJson(value: unknown): string {
  const own = fromJson(value)
  return json(own, { ensureAscii: false, indent: '  ', separators: [',', ': '], sortKeys: false }, newBudget(8 * charactersOf(own)))
}
