/** `strata results query`: SQL over a folder of results, its rows printed or written. */
import { asText } from '#result/report'
import { fault, dash } from '#core'
import {
  createTableWriter,
  csvLine,
  jsonLine,
  type TableColumn,
  type TableRow,
  type WrittenFormat,
  writtenFormat,
} from '#files/tables'
import { queryResults } from '#result/ledger'
import { knownTasks } from '../../options/choose-tasks.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import type { QueryFormat } from './query-format.ts'

/** Returns 1 when some file of the folder could not be read. */
export async function queryRows(words: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const place = 'strata results query'
  const [sql = '', ...more] = words
  if (sql.trim() === '' || more.length > 0)
    throw fault('usage.value', {
      place,
      what: more.length > 0 ? 'the query must be one text, in quotation marks' : 'no query is given',
      hint: `${place} "SELECT task, max(score) FROM results GROUP BY task"`,
    })
  const { out, json, results: root } = flags
  const printed = json === true ? 'json' : 'table'
  const format = flags.format ?? (out === undefined ? printed : undefined)
  const written = out === undefined ? undefined : writtenAs(out, format) // refused before the work
  if (out === undefined && format === 'parquet')
    throw fault('usage.value', {
      place: '--format parquet',
      what: 'cannot be printed',
      hint: 'give --out FILE.parquet',
    })
  const known = await knownTasks()
  const { columns, batches, unreadable } = await queryResults(root, sql, {
    place,
    seconds: flags.timeout,
    signal: terminal.signal,
    mainScore: (task) => known.get(task)?.mainScore,
    typeOf: (task) => known.get(task)?.type ?? '',
  })
  if (out === undefined) await print(columns, batches, format ?? 'table', terminal)
  else terminal.note(`${await write(out, columns, batches, written)} rows → ${out}`)
  for (const { message } of unreadable) terminal.note(`unreadable  ${message}`)
  return unreadable.length > 0 ? 1 : 0
}

function writtenAs(path: string, format: QueryFormat | undefined): WrittenFormat {
  switch (format) {
    case 'csv':
    case 'parquet':
      return format
    case 'json':
      return 'jsonl'
    case 'table':
      throw fault('usage.value', {
        place: '--format table',
        what: 'cannot be written to a file',
        seen: path,
        hint: 'give --format csv, json or parquet',
      })
    case undefined:
      return writtenFormat(path)
    default:
      return format satisfies never
  }
}

type Batches = AsyncGenerator<readonly TableRow[]>

async function write(
  path: string,
  columns: readonly TableColumn[],
  batches: Batches,
  format: WrittenFormat | undefined,
): Promise<number> {
  const writer = await createTableWriter(path, columns, { format })
  let count = 0
  try {
    for await (const rows of batches) {
      await writer.append(rows)
      count += rows.length
    }
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
  return count
}

async function print(
  columns: readonly TableColumn[],
  batches: Batches,
  format: QueryFormat,
  terminal: Terminal,
): Promise<void> {
  const names = columns.map(({ name }) => name)
  // a line end inside a text is a line end in csv
  const csv = (line: string): void =>
    line
      .trimEnd()
      .split(/\r?\n/)
      .forEach((piece) => terminal.print(piece))
  const table: string[][] = []
  if (format === 'csv') csv(csvLine(names))
  for await (const rows of batches) {
    for (const row of rows) {
      if (format === 'json') terminal.print(jsonLine(row, columns, 'query'))
      else if (format === 'csv') csv(csvLine(names.map((name) => plain(row[name]))))
      else table.push(names.map((name) => shown(row[name])))
    }
    if (table.length > longestTable)
      throw fault('format.limit', {
        place: 'strata results query',
        what: 'too many rows for a table',
        wanted: `at most ${longestTable.toLocaleString('en')}`,
        hint: 'add LIMIT, print the rows as they come (--format csv), or write them (--out FILE.parquet)',
      })
  }
  if (format === 'table') {
    const lines = asText({
      columns: columns.map(({ name, type }) => ({ title: name, number: type === 'number' || type === 'integer' })),
      rows: table,
    })
    for (const line of [...lines, `${table.length.toLocaleString('en')} ${table.length === 1 ? 'row' : 'rows'}`])
      terminal.print(line)
  }
}

/** A table is printed once all of its rows are known. */
const longestTable = 100_000

function plain(value: unknown): string | number | bigint | boolean | null {
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    typeof value === 'boolean'
    ? value
    : null
}

/** Longer texts are cut to this length. */
const widest = 80

/** For a person: numbers to six digits, the precision of rounded scores. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return dash
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(6)))
  const text = String(plain(value))
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}
