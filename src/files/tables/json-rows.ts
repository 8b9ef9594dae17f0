/** Rows of JSON: one object per line, or a document. Strings stay strings, whatever they look like. */
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { rowCollector, type RowGroup } from './columns.ts'
import { valuesOf, type ValueText } from './json-values.ts'
import { linesOf } from './lines.ts'

type Row = Record<string, unknown>

export interface JsonRowOptions {
  readonly place: string
  readonly columns?: readonly string[] | undefined
  readonly optional?: readonly string[] | undefined
  readonly lineColumn?: string | undefined
  /**
   * `lines`: every line is an object, blank lines aside. `document`: an array of objects, objects in a row, or one
   * object of equally long columns.
   */
  readonly layout: 'lines' | 'document'
  /** Key of the document under which the rows lie: then the whole text is held. */
  readonly field?: string | undefined
}

/**
 * A text that begins with `[` is read as a document in either layout. Throws `table.read` with line and column,
 * `table.column`.
 */
export async function* jsonRows(
  pieces: AsyncIterable<string>,
  { place, layout, field, ...wanted }: JsonRowOptions,
): AsyncGenerator<RowGroup> {
  const collector = rowCollector(place, wanted)
  const [head, text] = await peek(pieces)
  if (field !== undefined) {
    const rows = await fieldRows(text, field, place)
    if (rows.length > 0) yield collector.group(rows)
    collector.finish()
    return
  }
  const rows =
    layout === 'document' || head.trimStart().startsWith('[') ? documentRows(text, place) : lineRows(text, place)
  for await (const { rows: group, lines } of rows) if (group.length > 0) yield collector.group(group, lines)
  collector.finish()
}

/** Rows, and the line each begins at where that is known. */
interface Rows {
  readonly rows: Row[]
  readonly lines: number[]
}

async function* lineRows(pieces: AsyncIterable<string>, place: string): AsyncGenerator<Rows> {
  for await (const { first, lines: texts } of linesOf(pieces, place)) {
    const [rows, lines]: [Row[], number[]] = [[], []]
    for (const [i, text] of texts.entries()) {
      if (text.trim() === '') continue
      rows.push(readRow({ text, line: first + i, column: 1 }, place))
      lines.push(first + i)
    }
    yield { rows, lines }
  }
}

async function* documentRows(pieces: AsyncIterable<string>, place: string): AsyncGenerator<Rows> {
  let waiting: Row | undefined // a first object may be the whole document, and then hold columns
  let count = 0
  let [rows, lines]: [Row[], number[]] = [[], []]
  for await (const value of valuesOf(pieces, place)) {
    const row = readRow(value, place, { texts: true })
    lines.push(value.line)
    if (count++ === 0) waiting = row
    else {
      if (waiting !== undefined) rows.push(waiting)
      waiting = undefined
      rows.push(row)
    }
    if (rows.length >= 1000) {
      yield { rows, lines }
      ;[rows, lines] = [[], []]
    }
  }
  if (waiting === undefined) yield { rows, lines }
  else {
    const columns = columnsAsRows(waiting)
    yield columns === undefined ? { rows: [waiting], lines } : { rows: columns, lines: [] }
  }
}

/** `{ a: [1, 2], b: [3, 4] }` → two rows; undefined for an object that is itself a row. */
function columnsAsRows(object: Row): Row[] | undefined {
  const entries = Object.entries(object)
  const [, first] = entries[0] ?? []
  if (!Array.isArray(first) || !entries.every(([, values]) => Array.isArray(values) && values.length === first.length))
    return undefined
  return first.map((_, i) => Object.fromEntries(entries.map(([name, values]) => [name, (values as unknown[])[i]])))
}

/** The rows under a key of a document: objects, columns, or texts without a name. */
async function fieldRows(pieces: AsyncIterable<string>, field: string, place: string): Promise<Row[]> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > maxDocumentLength)
      throw fault('format.limit', {
        place,
        what: 'the document is too long to look inside',
        wanted: `at most ${maxDocumentLength} characters`,
      })
  }
  const document = readRow({ text, line: 1, column: 1 }, place)
  const value = document[field]
  if (isObject(value)) return columnsAsRows(value) ?? [value]
  if (!Array.isArray(value))
    throw fault('table.read', { place, what: `the document has no rows under ${field}`, seen: Object.keys(document) })
  return value.map((row: unknown, i) => {
    if (isObject(row)) return row
    if (typeof row === 'string') return { text: row }
    throw fault('table.read', { place, what: `${field}[${i}] is not a row`, seen: row })
  })
}

/** Parsed, it takes some times as much. */
const maxDocumentLength = 256 * 2 ** 20

/** Texts in a row are rows of the column `text`, as Hugging Face datasets has them. */
function readRow({ text, line, column }: ValueText, place: string, { texts = false }: { texts?: boolean } = {}): Row {
  const value = parseJson(text, place, {
    allowNaN: true,
    integers: 'exact',
    start: { line, column },
    code: 'table.read',
  })
  if (isObject(value)) return value
  if (texts && typeof value === 'string') return { text: value }
  throw fault('table.read', {
    place: `${place}:${line}:${column}`,
    what: 'a row is an object',
    seen: text.slice(0, 80),
  })
}

/** The first piece that is not blank, and all pieces with it. */
async function peek(pieces: AsyncIterable<string>): Promise<[string, AsyncIterable<string>]> {
  const iterator = pieces[Symbol.asyncIterator]()
  const seen: string[] = []
  for (;;) {
    const next = await iterator.next()
    if (next.done === true) break
    seen.push(next.value)
    if (next.value.trim() !== '') break
  }
  const rest = { [Symbol.asyncIterator]: () => iterator }
  const all = (async function* () {
    try {
      yield* seen
      yield* rest
    } finally {
      await iterator.return?.()
    }
  })()
  return [seen.at(-1) ?? '', all]
}
