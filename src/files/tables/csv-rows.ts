/**
 * Rows of separated values: a header, then records of its width. Every value is text; an empty field is an empty text.
 */
import { fault } from '#core'
import { missingColumn, type RowGroup } from './columns.ts'
import { csvRecords, type CsvRecord } from './csv-records.ts'

/** What separated values may do differently. */
export interface CsvDialect {
  /** One character; default a comma, or a tab by the file's name. */
  readonly separator?: string
  /** One character; null: quotes are text. Default `"`. */
  readonly quote?: string | null
  /** Lines before the header. */
  readonly skip?: number
  /** Names of the columns; the file then has no header. */
  readonly names?: readonly string[]
  /** The file has a header all the same, which `names` replace. */
  readonly header?: boolean
}

export interface CsvRowOptions {
  readonly place: string
  readonly dialect: CsvDialect & { readonly separator: string }
  readonly columns?: readonly string[] | undefined
  readonly optional?: readonly string[] | undefined
  /** Columns read as numbers, as bigints where a number would be another one; empty fields become null. */
  readonly numeric?: readonly string[] | undefined
  readonly lineColumn?: string | undefined
}

/**
 * Throws `table.read` with the line (and column, where quotes go wrong), `table.column`, `table.empty` for a file
 * without a header.
 */
export async function* csvRows(pieces: AsyncIterable<string>, options: CsvRowOptions): AsyncGenerator<RowGroup> {
  const {
    place,
    lineColumn,
    dialect: { separator, quote = '"', skip = 0, names, header: replaced = false },
  } = options
  for (const mark of [separator, quote ?? '"']) {
    if (mark.length !== 1 || mark === '\n' || mark === '\r')
      throw fault('table.read', { place, what: 'values are separated and quoted by single characters', seen: mark })
  }
  let header: readonly string[] | undefined
  let picked: readonly Picked[] = []
  for await (const records of csvRecords(withoutLines(pieces, skip), { separator, quote: quote ?? undefined }, place)) {
    if (header === undefined) {
      if (skip > 0) while (records[0]?.blank === true) records.shift()
      const [own] = records
      if (own === undefined) continue
      if (names === undefined || replaced) records.shift()
      header = names ?? own.fields
      picked = pickColumns(header, options)
    }
    const width = header.length
    const rows: CsvRecord[] = []
    for (const record of records) {
      if (record.fields.length !== width) {
        if (record.blank) continue
        throw fault('table.read', {
          place: `${place}:${record.line}`,
          what: 'a row has a different number of fields than the header',
          seen: record.fields.length,
          wanted: width,
        })
      }
      rows.push(record)
    }
    const columns = new Map<string, unknown[]>(
      picked.map((one) => [one.name, rows.map((row) => fieldOf(row, one, place))]),
    )
    if (lineColumn !== undefined)
      columns.set(
        lineColumn,
        rows.map(({ line }) => line),
      )
    yield { rows: rows.length, columns }
  }
  if (header === undefined) throw fault('table.empty', { place, what: 'no header line' })
}

/** A text without its first lines. */
async function* withoutLines(pieces: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  let left = count
  for await (const piece of pieces) {
    let from = 0
    for (; left > 0; left--) {
      const end = piece.indexOf('\n', from)
      if (end < 0) break
      from = end + 1
    }
    if (left === 0) yield piece.slice(from)
  }
}

interface Picked {
  readonly name: string
  readonly index: number
  readonly numeric: boolean
}

function pickColumns(
  header: readonly string[],
  { place, columns = header, optional = [], numeric = [] }: CsvRowOptions,
): Picked[] {
  const unknown = numeric.find((name) => !header.includes(name))
  if (unknown !== undefined) throw missingColumn(place, unknown, header)
  return [...columns, ...optional.filter((name) => header.includes(name))].map((name) => {
    const index = header.indexOf(name)
    if (index < 0) throw missingColumn(place, name, header)
    if (header.includes(name, index + 1))
      throw fault('table.column', { place, what: `two columns are named ${JSON.stringify(name)}` })
    return { name, index, numeric: numeric.includes(name) }
  })
}

function fieldOf({ fields, line }: CsvRecord, { name, index, numeric }: Picked, place: string): unknown {
  const text = fields[index] ?? ''
  if (!numeric) return text
  if (text.trim() === '') return null
  const value = Number(text)
  if (Number.isNaN(value) && text.trim().toLowerCase() !== 'nan')
    throw fault('table.read', { place: `${place}:${line}`, what: `${name} is not a number`, seen: text })
  return /^\s*[+-]?\d{16,}\s*$/.test(text) && !Number.isSafeInteger(value)
    ? BigInt(text.trim().replace('+', ''))
    : value
}
