/**
 * Sentences of two languages that translate each other: row by row, as pairs of row numbers (BUCC), or as one column
 * per language (parallel data).
 */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'
import type { BitextPart } from '../loaded-task.ts'
import type { TaskInfo } from '../task.ts'
import { texts, values } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { listedRows } from './listed-rows.ts'
import { readOwnRows, type ProtocolReader, type Scope } from './protocol.ts'

export const bitextMining: ProtocolReader<BitextPart> = {
  columns: ({ parallel_subsets: parallel, gold_column_name: gold }) => ({
    ...(parallel === true ? {} : { sentence1: 'sentence1', sentence2: 'sentence2' }),
    ...(typeof gold === 'string' ? { gold } : {}),
  }),
  read: (scope) => (scope.task.params.parallel_subsets ? parallelPart(scope) : plainPart(scope)),
  asked: {
    count: ({ gold }) => gold.length,
    only: (part, rows) => ({ ...part, sentence1: at(part.sentence1, rows), gold: at(part.gold, rows) }),
  },
  counts: ({ sentence1 }) => ({ pairs: sentence1.length }),
  texts: ({ sentence1, sentence2 }) => [{ texts: sentence1 }, { texts: sentence2 }],
}

async function plainPart(scope: Scope): Promise<BitextPart> {
  const { sentence1 = '', sentence2 = '', gold } = scope.task.columns
  const own = await readOwnRows(scope)
  const rows = listedRows(own, [sentence1, sentence2], { ragged: gold !== undefined })
  const [first, second] = [texts(rows, sentence1), texts(rows, sentence2)]
  if (gold === undefined) return { ...scope.part, sentence1: first, sentence2: second, gold: first.map((_, i) => i) }
  const pairs = goldPairs(own, gold, [first.length, second.length])
  return {
    ...scope.part,
    sentence1: pairs.map(([i]) => first[i] ?? ''),
    sentence2: second,
    gold: pairs.map(([, j]) => j),
  }
}

/**
 * Row numbers of sentences that translate each other, counted from 1 in the data. Sentences of the first language
 * without a translation are not asked about.
 */
function goldPairs(rows: Rows, name: string, sizes: readonly [number, number]): [number, number][] {
  const [only] = values(rows, name)
  const pairs =
    rows.rows === 1 && Array.isArray(only) && only.every(Array.isArray)
      ? (only as unknown[][])
      : (values(rows, name) as unknown[][])
  return pairs.map((pair, at) => {
    const [i, j] = Array.isArray(pair) ? pair.map((value) => Number(value) - 1) : []
    if (i !== undefined && j !== undefined && isIndex(i, sizes[0]) && isIndex(j, sizes[1])) return [i, j]
    throw fault('task.value', {
      place: `${rows.place} › ${name} ${at + 1}`,
      what: 'not a pair of row numbers',
      seen: pair,
      wanted: `1 … ${sizes.join(' and 1 … ')}`,
    })
  })
}

function isIndex(value: number, size: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < size
}

/**
 * A subset is two columns. All languages of the task are read at once, and a language that takes part in many pairs is
 * one list of texts in all of them.
 */
async function parallelPart(scope: Scope): Promise<BitextPart> {
  const { subset } = scope.part
  const rows = await readOwnRows(scope, { columns: [], optional: languagesOf(scope.task) })
  const [first, second, ...more] = subset.split('-')
  if (first === undefined || second === undefined || more.length > 0) {
    throw fault('task.subset', {
      place: scope.task.name,
      what: 'not a pair of languages',
      seen: subset,
      wanted: 'eng_Latn-fra_Latn',
    })
  }
  const [sentence1, sentence2] = [sentences(rows, first), sentences(rows, second)]
  return { ...scope.part, sentence1, sentence2, gold: rowNumbers(rows) }
}

const numbered = new WeakMap<Rows['columns'], readonly number[]>()

function rowNumbers({ columns, rows }: Rows): readonly number[] {
  const known = numbered.get(columns) ?? Array.from({ length: rows }, (_, i) => i)
  numbered.set(columns, known)
  return known
}

const languages = new WeakMap<TaskInfo, readonly string[]>()

function languagesOf(task: TaskInfo): readonly string[] {
  const known = languages.get(task) ?? [...new Set(Object.keys(task.subsets).flatMap((subset) => subset.split('-')))]
  languages.set(task, known)
  return known
}

const sentenceLists = new WeakMap<Rows['columns'], Map<string, readonly string[]>>()

function sentences(rows: Rows, language: string): readonly string[] {
  const lists = sentenceLists.get(rows.columns) ?? new Map<string, readonly string[]>()
  sentenceLists.set(rows.columns, lists)
  const list = lists.get(language)
  if (list !== undefined) return list
  if (values(rows, language).every((value) => value === null)) {
    throw fault('task.column', {
      place: rows.place,
      what: `no column ${language}`,
      seen: Object.keys(rows.columns).filter((name) => rows.columns[name]?.some((value) => value !== null)),
    })
  }
  const read = texts(rows, language)
  lists.set(language, read)
  return read
}
