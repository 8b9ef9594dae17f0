/** Rows that a task leaves out. */
import { type Doc, docText } from '../doc.ts'
import { listIn } from './columns.ts'
import type { Port } from './port.ts'

export function rowsWhere(keeps: (doc: Doc) => boolean): Port {
  return { kind: 'docs', run: (docs) => docs.filter(keeps) }
}

/** BIG-bench: some tasks mix questions with and without choices. */
export const withTargets: Port = rowsWhere((doc) => listIn(doc, 'multiple_choice_targets').length > 0)

/** EusExams (Etxaniz et al. 2024): questions that were withdrawn have no answer, or no candidates. */
export const withCandidates: Port = rowsWhere(
  (doc) =>
    [0, 1, 2, 3].some((place) => place === doc['answer']) &&
    !(listIn(doc, 'candidates').length === 4 && listIn(doc, 'candidates').every((one) => one === '')),
)

/** A column that holds, or begins with, a word. */
export const rowsOf = (column: string, value: string): Port => rowsWhere((doc) => doc[column] === value)
export const rowsFrom = (column: string, beginning: string): Port =>
  rowsWhere((doc) => docText(doc[column]).startsWith(beginning))
