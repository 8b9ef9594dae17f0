/** Rows about pairs of ids: judgements, candidates, instructions. */
import { fault } from '../../core/index.ts'
import { rowPlace, type Rows } from '../dataset.ts'
import { isTrue } from '../steps/filter.ts'
import { pythonText } from '../steps/step.ts'
import { texts, values } from '../values.ts'
import type { Needs } from './read-tables.ts'
import type { DocumentTable, InstructionTable, JudgementTable } from './tables.ts'

type Grade = NonNullable<JudgementTable['grade']>

export function judgementNeeds({ query = 'query-id', document = 'corpus-id', grade = 'score' }: JudgementTable): Needs {
  const column = typeof grade === 'string' ? [grade] : typeof grade === 'number' ? [] : [grade.column]
  return { required: [query, document, ...column], numeric: typeof grade === 'string' ? [grade] : [] }
}

/** Query → document → grade. */
export function judgementsOf(rows: Rows, { query = 'query-id', document = 'corpus-id', grade = 'score' }: JudgementTable): Map<string, Map<string, number>> {
  const qrels = new Map<string, Map<string, number>>()
  const documents = texts(rows, document)
  texts(rows, query).forEach((id, i) => {
    const known = qrels.get(id)
    const judged = known ?? new Map<string, number>()
    judged.set(documents[i] ?? '', gradeOf(rows, i, grade))
    if (known === undefined) qrels.set(id, judged)
  })
  return qrels
}

function gradeOf(rows: Rows, row: number, grade: Grade): number {
  if (typeof grade === 'number') return grade
  if (typeof grade !== 'string') {
    const label = pythonText(values(rows, grade.column)[row])
    return Object.hasOwn(grade.grades, label) ? (grade.grades[label] ?? grade.other) : grade.other
  }
  const value = values(rows, grade)[row]
  const whole = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)
  const number = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' || whole ? Math.trunc(Number(value)) : NaN
  if (Number.isFinite(number)) return number
  throw fault('task.value', { place: rowPlace(rows, row), what: 'a judgement is not a number', seen: value })
}

export function instructionNeeds({ query = 'query-id', instruction = 'instruction' }: InstructionTable): Needs {
  return { required: [query, instruction] }
}

/** Query → instruction. */
export function instructionsOf(rows: Rows, { query = 'query-id', instruction = 'instruction' }: InstructionTable): Map<string, string> {
  const ids = texts(rows, query)
  return new Map(texts(rows, instruction).map((text, i) => [ids[i] ?? '', text]))
}

export function documentNeeds({ query = 'query-id', documents = 'corpus-ids', document, allBut }: DocumentTable): Needs {
  if (allBut !== undefined) return { required: [query], optional: [allBut.column] }
  return { required: [query, document ?? documents] }
}

/** Query → documents. Undefined when a table of exceptions has none. `corpus` are the ids of all documents, repetitions included. */
export function documentsOf(
  rows: Rows,
  { query = 'query-id', documents = 'corpus-ids', document, allBut }: DocumentTable,
  corpus: readonly string[],
): Map<string, readonly string[]> | undefined {
  const ids = texts(rows, query)
  if (allBut !== undefined) return allButSome(rows, ids, allBut, corpus)
  if (document === undefined) return new Map(values(rows, documents).map((list, i) => [ids[i] ?? '', listOf(rows, i, list)]))
  const found = new Map<string, string[]>()
  texts(rows, document).forEach((id, i) => {
    const query = ids[i] ?? ''
    const known = found.get(query)
    if (known === undefined) found.set(query, [id])
    else known.push(id)
  })
  return found
}

function allButSome(
  rows: Rows,
  ids: readonly string[],
  { column, none }: NonNullable<DocumentTable['allBut']>,
  corpus: readonly string[],
): Map<string, readonly string[]> | undefined {
  const lists = values(rows, column).map((list, i) => (isTrue(list) ? listOf(rows, i, list) : []))
  const left = lists.map((list) => (list.length === 0 || (list.length === none.length && list.every((id, i) => id === none[i])) ? undefined : new Set(list)))
  if (left.every((list) => list === undefined)) return undefined
  return new Map(ids.map((id, i) => [id, left[i] === undefined ? corpus : corpus.filter((document) => !left[i]?.has(document))]))
}

function listOf(rows: Rows, row: number, list: unknown): string[] {
  if (Array.isArray(list)) return list.map(pythonText)
  throw fault('task.value', { place: rowPlace(rows, row), what: 'documents are not a list', seen: list })
}
