/**
 * Columns of a row as the types that a function expects; a missing column or one of another type stops the task with
 * the column's name.
 */
import { fault } from '#core'
import type { Doc, DocValue } from '../doc.ts'

export function textIn(doc: Doc, column: string): string {
  const value = doc[column]
  if (typeof value === 'string') return value
  throw wrong(column, 'no text', value)
}

export function textsIn(doc: Doc, column: string): string[] {
  return listIn(doc, column).map((value) => {
    if (typeof value === 'string') return value
    throw wrong(column, 'holds something that is no text', value)
  })
}

export function listIn(doc: Doc, column: string): readonly DocValue[] {
  const value = doc[column]
  if (Array.isArray(value)) return value as readonly DocValue[]
  throw wrong(column, 'no list', value)
}

/** A column that is a row of its own. */
export function rowIn(doc: Doc, column: string): Doc {
  const value = doc[column]
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('kind' in value)) return value as Doc
  throw wrong(column, 'no row', value)
}

/** Floats that are whole are told from integers in rows; here they are numbers. */
export function numberIn(doc: Doc, column: string): number {
  const value = doc[column]
  if (typeof value === 'number') return value
  if (typeof value === 'object' && value !== null && 'kind' in value && typeof value['value'] === 'number')
    return value['value']
  throw wrong(column, 'no number', value)
}

/** The place of a word among others. */
export function placeIn(words: readonly string[], word: string, column: string): number {
  const at = words.indexOf(word)
  if (at < 0) throw wrong(column, `none of ${words.join(', ')}`, word)
  return at
}

function wrong(column: string, what: string, seen: DocValue | undefined): Error {
  return fault('task.value', { place: column, what, seen: seen ?? null })
}
