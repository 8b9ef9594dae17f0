/**
 * Templates of task files: parsed once, rendered for every row, undefined names refused (Jinja2's `StrictUndefined`).
 */
import { asFault, fault } from '#core'
import { parseTemplate, type Program, renderRow, TemplateError } from '#platform/jinja'
import type { Doc } from '../doc.ts'

const parsed = new Map<string, Program>()
/** Templates of one run; a harness of thousands of tasks has a few thousand. */
const mostParsed = 5_000

/** Throws `task.value` with the template's own words. */
export function renderTemplate(text: string, doc: Doc, place: string): string {
  // most descriptions and many questions are plain text
  if (!/\{[{%#]|\r/.test(text)) return text
  try {
    let program = parsed.get(text)
    if (program === undefined) {
      if (parsed.size >= mostParsed) parsed.clear()
      program = parseTemplate(text, 'rows')
      parsed.set(text, program)
    }
    return renderRow(program, doc)
  } catch (error) {
    if (error instanceof TemplateError)
      throw fault('task.value', {
        place,
        what: `the template fails: ${error.message}`,
        seen: text.slice(0, 200),
        cause: error,
      })
    throw asFault(error, 'task.value', place)
  }
}
