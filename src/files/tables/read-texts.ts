/** Texts to encode, from a file of any kind or from standard input, as a stream of batches. */
import { Fault, fault } from '#core'
import { jsonRows } from './json-rows.ts'
import { linesOf } from './lines.ts'
import { missingColumn, type RowGroup } from './columns.ts'
import { rowsOf } from './read-batches.ts'
import { splitName, type TableFormat } from './table-format.ts'
import { decode, textOf } from './text-file.ts'

export type TextFormat = 'txt' | TableFormat

export type TextSource =
  | {
      readonly kind: 'file'
      readonly path: string
      /** Default: by extension; a name without one, or with one that is no table's, is `txt`. */
      readonly format?: TextFormat
      /** Column of the texts. Default: `text`, otherwise the only column of strings. */
      readonly column?: string | undefined
    }
  | {
      readonly kind: 'stdin'
      /** Default `txt`. */
      readonly format?: 'txt' | 'jsonl'
      readonly column?: string | undefined
      /** Default: the process's standard input. */
      readonly input?: AsyncIterable<Uint8Array | string>
    }

export interface TextOptions {
  batch?: number | undefined
  /** Number of texts to skip first, to continue where an earlier run stopped. */
  offset?: number | undefined
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

export interface TextRow {
  /** The row's `id` where the table has one, otherwise its number from 0. */
  readonly id: string
  readonly text: string
}

/**
 * Texts in order, in batches of `batch`. Plain text: one text per line, an empty line is an empty text. Tables: one
 * text per row. Throws `usage.conflict` for a column of plain text, `table.column` when no column is named and none is
 * plainly meant, or when a row has no text, `usage.value` for a named column that is not there, `table.read`,
 * `run.cancelled`.
 *
 * @example
 * ```ts
 * import { readTexts } from 'strata-lm/formats'
 *
 * for await (const rows of readTexts({ kind: 'file', path: 'texts.txt' }, { limit: 2 }))
 *   console.log(rows.map(({ id, text }) => `${id} ${text}`).join(' | '))
 * // → 0 A man is playing a guitar. | 1 Someone plays an instrument.
 * ```
 */
export async function* readTexts(
  source: TextSource,
  { batch = 1000, offset = 0, limit = Infinity, signal }: TextOptions = {},
): AsyncGenerator<TextRow[]> {
  let row = 0
  let waiting: TextRow[] = []
  const end = offset + limit
  if (limit <= 0) return
  for await (const group of asUsage(textGroups(source), source)) {
    if (signal?.aborted === true) throw fault('run.cancelled', { place: placeOf(source), what: 'reading was stopped' })
    for (let i = 0; i < group.texts.length && row < end; i++, row++) {
      if (row < offset) continue
      waiting.push({ id: group.ids?.[i] ?? String(row), text: group.texts[i] ?? '' })
      if (waiting.length === batch) {
        yield waiting
        waiting = []
      }
    }
    if (row >= end) break
  }
  if (waiting.length > 0) yield waiting
}

/** A column that the user names and the table lacks is the user's mistake, and no table's. */
async function* asUsage(groups: AsyncGenerator<TextGroup>, { column }: TextSource): AsyncGenerator<TextGroup> {
  try {
    yield* groups
  } catch (error) {
    if (column === undefined || !(error instanceof Fault) || !error.parts.what.startsWith('no column ')) throw error
    throw fault('usage.value', error.parts)
  }
}

interface TextGroup {
  readonly texts: readonly string[]
  readonly ids?: readonly (string | undefined)[]
}

async function* textGroups(source: TextSource): AsyncGenerator<TextGroup> {
  const place = placeOf(source)
  const format = source.format ?? (source.kind === 'file' ? guessFormat(source.path) : 'txt')
  const pieces = () =>
    source.kind === 'stdin'
      ? decode(source.input ?? process.stdin, place)
      : textOf({ path: source.path, place, packing: splitName(source.path).packing })
  if (format === 'txt') {
    if (source.column !== undefined)
      throw fault('usage.conflict', {
        place,
        what: 'plain text has no columns',
        seen: `column ${source.column}`,
        hint:
          source.kind === 'stdin'
            ? 'standard input is read as one text a line: give a table as a file'
            : 'one text a line; a table has an extension that says so',
      })
    for await (const { lines } of linesOf(pieces(), place)) yield { texts: lines }
    return
  }
  let column = source.column
  if (source.kind === 'file') column ??= await lookForColumn(source.path, format)
  const groups =
    source.kind === 'file'
      ? rowsOf(source.path, {
          format,
          ...(column === undefined ? {} : { columns: [column], optional: column === 'id' ? [] : ['id'] }),
        })
      : jsonRows(pieces(), {
          place,
          columns: column === undefined ? undefined : [column],
          optional: ['id'],
          layout: 'lines',
        })
  let row = 0
  for await (const group of groups) {
    if (group.rows === 0) continue
    column ??= chooseColumn(group, place)
    const values = group.columns.get(column)
    if (values === undefined) throw missingColumn(place, column, [...group.columns.keys()])
    const ids = column === 'id' ? undefined : group.columns.get('id')
    const first = row
    yield {
      texts: values.map((value, i) => textOfRow(value, first + i, column ?? '', place)),
      ...(ids === undefined ? {} : { ids: ids.map(idText) }),
    }
    row += group.rows
  }
}

async function lookForColumn(path: string, format: TableFormat): Promise<string | undefined> {
  for await (const group of rowsOf(path, { format })) if (group.rows > 0) return chooseColumn(group, path)
  return undefined
}

function idText(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}

function chooseColumn({ columns }: RowGroup, place: string): string {
  if (columns.has('text')) return 'text'
  const strings = [...columns]
    .filter(([name, values]) => name !== 'id' && values.some((value) => typeof value === 'string'))
    .map(([name]) => name)
  const [only] = strings
  if (only !== undefined && strings.length === 1) return only
  throw fault('table.column', {
    place,
    what: strings.length === 0 ? 'no column holds texts' : 'which column holds the texts?',
    seen: `columns ${[...columns.keys()].join(', ')}`,
    hint: 'name it with --column',
  })
}

function textOfRow(value: unknown, row: number, column: string, place: string): string {
  if (typeof value === 'string') return value
  throw fault('table.column', {
    place,
    what: `row ${row} has no text in column ${column}`,
    seen: value ?? 'nothing',
    hint: 'an empty text is written "", and rows without one are left out',
  })
}

function guessFormat(path: string): TextFormat {
  const { extension } = splitName(path)
  switch (extension) {
    case 'ndjson':
      return 'jsonl'
    case 'jsonl':
    case 'json':
    case 'csv':
    case 'tsv':
    case 'parquet':
      return extension
    default:
      return 'txt'
  }
}

function placeOf(source: TextSource): string {
  return source.kind === 'file' ? source.path : 'standard input'
}
