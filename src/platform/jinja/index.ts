/**
 * jinja: a template language that behaves like Jinja2, within a budget of work.
 *
 * In: a parsed template and plain values. Out: text.
 * Never: a file, a chat, code that a template could reach.
 */
export { newBudget } from './budget.ts'
export { run } from './execute.ts'
export { globals } from './globals.ts'
export type { Program } from './nodes.ts'
export { parseTemplate, pythonJson, pythonText, renderRow } from './template.ts'
export { charactersOf, type Float, fromJson, TemplateError, type Value } from './values.ts'
