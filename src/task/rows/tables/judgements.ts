/** Rows about pairs of ids: judgements, candidates, instructions. */
import { fault } from '#core'
import { rowPlace, type Rows } from '../dataset.ts'
import { isTrue } from '../steps/filter.ts'
import { pythonText } from '../steps/step.ts'
import { texts, values } from '../values.ts'
import type { Needs } from './read-tables.ts'
import type { DocumentTable, InstructionTable, JudgementTable } from './tables.ts'

type Grade = NonNullable<JudgementTable['grade']>

export function judgementNeeds({ query = 'query-id', document = 'corpus-id', grade = 'score' }: JudgementTable): Needs {
  const numeric = typeof grade === 'string' ? [grade] : []
  const column = typeof grade === 'object' ? [grade.column] : numeric
  return { required: [query, document, ...column], numeric }
}

export interface Judgements {
  /** Query → document → grade. */
  readonly qrels: Map<string, Map<string, number>>
  /** Judgements that another one of the same pair contradicts: the last counts. */
  readonly contradicted: number
}

export function readJudgements(
  rows: Rows,
  { query = 'query-id', document = 'corpus-id', grade = 'score' }: JudgementTable,
): Judgements {
  const qrels = new Map<string, Map<string, number>>()
  const documents = texts(rows, document)
  let contradicted = 0
  texts(rows, query).forEach((id, i) => {
    const known = qrels.get(id)
    const judged = known ?? new Map<string, number>()
    const [name, own] = [documents[i] ?? '', gradeOf(rows, i, grade)]
    const before = judged.get(name)
    if (before !== undefined && before !== own) contradicted++
    judged.set(name, own)
    if (known === undefined) qrels.set(id, judged)
  })
  return { qrels, contradicted }
}

function gradeOf(rows: Rows, row: number, grade: Grade): number {
  if (typeof grade === 'number') return grade
  if (typeof grade !== 'string') {
    const label = pythonText(values(rows, grade.column)[row])
    return Object.hasOwn(grade.grades, label) ? (grade.grades[label] ?? grade.other) : grade.other
  }
  const value = values(rows, grade)[row]
  const whole = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)
  const number =
    typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' || whole ? Number(value) : NaN
  if (Number.isSafeInteger(number)) return number
  throw fault('task.value', {
    place: rowPlace(rows, row),
    what: 'a judgement is not a whole number',
    seen: value,
    wanted: '0 for documents that do not answer the query, 1 or more for those that do',
    ...(typeof value === 'number' && { hint: 'multiply all grades alike: 0.5, 1 and 2 become 1, 2 and 4' }),
  })
}

export function instructionNeeds({ query = 'query-id', instruction = 'instruction' }: InstructionTable): Needs {
  return { required: [query, instruction] }
}

/** Query → instruction. */
export function instructionsOf(
  rows: Rows,
  { query = 'query-id', instruction = 'instruction' }: InstructionTable,
): Map<string, string> {
  const ids = texts(rows, query)
  return new Map(texts(rows, instruction).map((text, i) => [ids[i] ?? '', text]))
}

export function documentNeeds({
  query = 'query-id',
  documents = 'corpus-ids',
  document,
  allBut,
}: DocumentTable): Needs {
  if (allBut !== undefined) return { required: [query], optional: [allBut.column] }
  return { required: [query, document ?? documents] }
}

/** Query → documents, from lists or from one row each. */
export function documentsOf(
  rows: Rows,
  { query = 'query-id', documents = 'corpus-ids', document }: DocumentTable,
): Map<string, readonly string[]> {
  const ids = texts(rows, query)
  if (document === undefined)
    return new Map(values(rows, documents).map((list, i) => [ids[i] ?? '', listOf(rows, i, list)]))
  const found = new Map<string, string[]>()
  texts(rows, document).forEach((id, i) => {
    const asking = ids[i] ?? ''
    const known = found.get(asking)
    if (known === undefined) found.set(asking, [id])
    else known.push(id)
  })
  return found
}

/**
 * Query → documents it leaves out, and all it has left; undefined when no query leaves out any. `corpus` are the ids of
 * all documents, in order.
 */
export function allBut(
  rows: Rows,
  { query = 'query-id', allBut: { column, none } }: DocumentTable & Required<Pick<DocumentTable, 'allBut'>>,
  corpus: readonly string[],
):
  | { candidates: ReadonlyMap<string, readonly string[]>; excluded: ReadonlyMap<string, ReadonlySet<string>> }
  | undefined {
  const ids = texts(rows, query)
  const lists = values(rows, column).map((list, i) => (isTrue(list) ? listOf(rows, i, list) : []))
  const left = new Map(ids.map((id, i) => [id, new Set(sameList(lists[i] ?? [], none) ? [] : lists[i])]))
  const excluded = new Map([...left].filter(([, documents]) => documents.size > 0))
  if (lists.every((list) => list.length === 0 || sameList(list, none))) return undefined
  // lists of a whole corpus are made when they are asked for: a hundred of them at once do not fit in memory
  return {
    excluded,
    candidates: lazyMap(left, (documents) =>
      documents.size === 0 ? corpus : corpus.filter((id) => !documents.has(id)),
    ),
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}

/** A view of a map with other values. */
function lazyMap<Key, From, To>(map: ReadonlyMap<Key, From>, change: (from: From) => To): ReadonlyMap<Key, To> {
  function* entries(): Generator<[Key, To], undefined> {
    for (const [key, value] of map) yield [key, change(value)]
  }
  function* values(): Generator<To, undefined> {
    for (const value of map.values()) yield change(value)
  }
  const view: ReadonlyMap<Key, To> = {
    size: map.size,
    has: (key) => map.has(key),
    get(key) {
      const value = map.get(key)
      return value === undefined ? undefined : change(value)
    },
    forEach: (use) => map.forEach((value, key) => use(change(value), key, view)),
    keys: () => map.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
  }
  return view
}

function listOf(rows: Rows, row: number, list: unknown): string[] {
  if (Array.isArray(list)) return list.map(pythonText)
  throw fault('task.value', { place: rowPlace(rows, row), what: 'documents are not a list', seen: list })
}
