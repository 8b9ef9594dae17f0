/**
 * What a task says of a row: its question, its choices, its target – from a column, a template, a literal or a function
 * (lm-evaluation-harness 0.4.13, `doc_to_*`).
 */
import { fault } from '#core'
import { literalEval, PythonLiteralError } from '#platform/python'
import { type Field, type TaskConfig } from '../config/task-config.ts'
import { isFunctionReference } from '../config/read-config.ts'
import { type Doc, docText, type DocValue } from '../doc.ts'
import type { PortFinder } from '../ports/find-port.ts'
import { renderTemplate } from './templates.ts'

/** Fields of one task, for rows of its splits. */
export interface Fields {
  /** An integer is the place of the right text among the choices (WinoGrande). */
  text: (doc: Doc, field?: Field) => string | number
  target: (doc: Doc, field?: Field) => DocValue
  choices: (doc: Doc, field?: Field) => readonly string[]
  /** A text that stands at the answer's beginning. */
  prefix: (doc: Doc, prefix: string | undefined) => string | undefined
  description: (doc: Doc) => string
  readonly hasChoices: boolean
}

/**
 * `columns`: names of the columns of the rows that are asked, after `process_docs`; rows for examples are read by the
 * same.
 */
export function fieldsOf(config: TaskConfig, columns: ReadonlySet<string>, port: PortFinder): Fields {
  const place = config.task
  const hasChoices = config.docToChoice !== undefined

  const text = (doc: Doc, field: Field | undefined = config.docToText): string | number => {
    if (typeof field === 'number') return field
    const value = resolved(field, doc, 'doc_to_text')
    if (value.rendered === undefined) return textOrIndex(value.raw, place)
    return hasChoices && isDigits(value.rendered) ? integer(value.rendered, `${place} › doc_to_text`) : value.rendered
  }

  const target = (doc: Doc, field: Field | undefined = config.docToTarget): DocValue => {
    if (typeof field === 'number' || Array.isArray(field)) return field as DocValue
    const { raw, rendered } = resolved(field, doc, 'doc_to_target')
    if (rendered === undefined) return raw
    if (hasChoices && isDigits(rendered)) return integer(rendered, `${place} › doc_to_target`)
    if (rendered.length < 2 || !rendered.startsWith('[') || !rendered.endsWith(']')) return rendered
    try {
      return literalEval(rendered)
    } catch (error) {
      if (error instanceof PythonLiteralError) return rendered
      throw error
    }
  }

  const choices = (doc: Doc, field: Field | undefined = config.docToChoice): readonly string[] => {
    if (Array.isArray(field)) return field as readonly string[]
    if (typeof field === 'object' && field !== null && !isFunctionReference(field))
      return Object.values(field) as string[]
    const { raw, rendered } = resolved(field, doc, 'doc_to_choice')
    const value = rendered === undefined ? raw : literal(rendered)
    if (Array.isArray(value)) return value as readonly string[]
    throw fault('task.value', {
      place: `${place} › doc_to_choice`,
      what: 'the choices of a row are not a list',
      seen: value,
    })
  }

  const literal = (rendered: string): unknown => {
    try {
      return literalEval(rendered)
    } catch (error) {
      throw fault('task.value', {
        place: `${place} › doc_to_choice`,
        what: 'the choices of a row are not a Python literal',
        seen: rendered.slice(0, 200),
        cause: error,
      })
    }
  }

  const resolved = (field: Field | undefined, doc: Doc, key: string): { raw: DocValue; rendered?: string } => {
    if (isFunctionReference(field)) return { raw: port(field, 'field').run(doc) }
    if (typeof field !== 'string')
      throw fault('task.value', { place: `${place} › ${key}`, what: 'the task does not say it', seen: field ?? null })
    if (columns.has(field)) return { raw: doc[field] ?? null }
    return { raw: null, rendered: renderTemplate(field, doc, `${place} › ${key}`) }
  }

  return {
    text,
    target,
    choices,
    prefix: (doc, prefix) => (prefix === undefined ? undefined : fieldOrTemplate(prefix, doc, `${place} › gen_prefix`)),
    description: (doc) =>
      config.description === '' ? '' : fieldOrTemplate(config.description, doc, `${place} › description`),
    hasChoices,
  }
}

/** A column of this very row, otherwise a template. */
function fieldOrTemplate(field: string, doc: Doc, place: string): string {
  return Object.hasOwn(doc, field) ? docText(doc[field]) : renderTemplate(field, doc, place)
}

function textOrIndex(value: DocValue, place: string): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw fault('task.value', {
    place: `${place} › doc_to_text`,
    what: 'the question of a row is not a text',
    seen: value,
  })
}

/** Python's `str.isdigit`, for texts that a template gives. */
function isDigits(text: string): boolean {
  return /^\p{Nd}+$/u.test(text)
}

/** As Python reads a literal: `08` is none. */
function integer(text: string, place: string): number {
  if (/^(?:0+|[1-9][0-9]*)$/.test(text)) return Number(text)
  throw fault('task.value', { place, what: 'digits that are not a number in Python', seen: text })
}
