/** Rows of separated values: a header, then records of its width. Every value is text; an empty field is an empty text. */
import { fault } from '../core/index.ts'
import { missingColumn, type RowGroup } from './columns.ts'
import { csvRecords, type CsvRecord } from './csv-records.ts'

export interface CsvRowOptions {
  readonly place: string
  readonly separator: ',' | '\t'
  readonly columns?: readonly string[] | undefined
  readonly optional?: readonly string[] | undefined
  /** Columns read as numbers; empty fields become null. */
  readonly numeric?: readonly string[] | undefined
  readonly lineColumn?: string | undefined
}

/** Throws `table.read` with the line (and column, where quotes go wrong), `table.column`, `table.empty` for a file without a header. */
export async function* csvRows(pieces: AsyncIterable<string>, options: CsvRowOptions): AsyncGenerator<RowGroup> {
  const { place, separator, lineColumn } = options
  let header: readonly string[] | undefined
  let picked: readonly Picked[] = []
  for await (const records of csvRecords(pieces, separator, place)) {
    if (header === undefined) {
      header = records.shift()?.fields ?? []
      picked = pickColumns(header, options)
    }
    const width = header.length
    const rows: CsvRecord[] = []
    for (const record of records) {
      if (record.fields.length !== width) {
        if (record.blank) continue
        throw fault('table.read', {
          place: `${place}:${record.line}`,
          what: 'a row of another width than the header',
          seen: record.fields.length,
          wanted: width,
        })
      }
      rows.push(record)
    }
    const columns = new Map<string, unknown[]>(picked.map((one) => [one.name, rows.map((row) => fieldOf(row, one, place))]))
    if (lineColumn !== undefined)
      columns.set(
        lineColumn,
        rows.map(({ line }) => line),
      )
    yield { rows: rows.length, columns }
  }
  if (header === undefined) throw fault('table.empty', { place, what: 'no header line' })
}

interface Picked {
  readonly name: string
  readonly index: number
  readonly numeric: boolean
}

function pickColumns(header: readonly string[], { place, columns = header, optional = [], numeric = [] }: CsvRowOptions): Picked[] {
  const unknown = numeric.find((name) => !header.includes(name))
  if (unknown !== undefined) throw missingColumn(place, unknown, header)
  return [...columns, ...optional.filter((name) => header.includes(name))].map((name) => {
    const index = header.indexOf(name)
    if (index < 0) throw missingColumn(place, name, header)
    if (header.includes(name, index + 1)) throw fault('table.column', { place, what: `two columns are named ${JSON.stringify(name)}` })
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
  return value
}
