/**
 * Rows of tables as a stream of batches: memory holds one batch and one piece of a file, however long the tables are.
 */
import { fault } from '#core'
import type { RowGroup } from './columns.ts'
import { type CsvDialect, csvRows } from './csv-rows.ts'
import { jsonRows } from './json-rows.ts'
import { parquetRows } from './parquet-rows.ts'
import {
  type ByteSource,
  type Packing,
  splitName,
  tableFormat,
  type TableFile,
  type TableFormat,
} from './table-format.ts'
import { textOf } from './text-file.ts'

export interface ReadOptions {
  /** Columns to keep, in this order; dots reach into structs (`labels.label`). Default: all. */
  columns?: readonly string[] | undefined
  /** Columns kept where they exist, null elsewhere. */
  optional?: readonly string[] | undefined
  /** Default: by extension, `.gz` and `.zst` seen through. */
  format?: TableFormat | undefined
  /** Default: by extension. Blobs of the hub's cache have none. */
  packing?: Packing | undefined
  /** Columns of csv and tsv to read as numbers; everything else there is text. */
  numeric?: readonly string[] | undefined
  /** How csv and tsv differ from the usual. */
  dialect?: CsvDialect | undefined
  /** Key of a JSON document under which its rows lie. */
  field?: string | undefined
  /**
   * Bytes to read instead of the file's: then `path` is a name for messages. Not for parquet and zstandard, which are
   * read by range.
   */
  bytes?: ByteSource | undefined
  /** A column of this name is added: the line a row begins at, its number in files without lines; from 1. */
  lineColumn?: string | undefined
  /** What the rows belong to, for messages; each file's path is added. */
  place?: string | undefined
}

export interface BatchOptions extends ReadOptions {
  /** Rows per batch. */
  batch?: number | undefined
  /** Rows to pass over first, counted over all files. */
  offset?: number | undefined
  /** Rows to return at most. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Batch {
  readonly rows: number
  /** One array a column, `rows` long, null where a row has no value. */
  readonly columns: Record<string, unknown[]>
}

/**
 * Batches of `batch` rows (the last one shorter), files in the order given, rows in file order; values as `readColumns`
 * has them. Without `columns`, a batch has those seen so far. Throws `table.read`, `table.column`, `table.empty`,
 * `format.unknown`, `format.lfs`, `run.cancelled`.
 *
 * @example
 * ```ts
 * import { readBatches } from 'strata-lm/formats'
 *
 * for await (const { rows, columns } of readBatches(['pairs-test.csv'], { batch: 5 }))
 *   console.log(rows, Object.keys(columns).join(' '))
 * // → 5 sentence1 sentence2 score
 * // → 3 sentence1 sentence2 score
 * ```
 */
export async function* readBatches(
  paths: readonly string[],
  { batch = 10_000, offset = 0, limit = Infinity, signal, ...options }: BatchOptions = {},
): AsyncGenerator<Batch> {
  let skip = offset
  let left = limit
  let waiting = emptyBatch()
  if (left <= 0) return
  for (const path of paths) {
    for await (const group of rowsOf(path, options)) {
      if (signal?.aborted === true)
        throw fault('run.cancelled', { place: options.place ?? path, what: 'reading was stopped' })
      const from = Math.min(skip, group.rows)
      skip -= from
      for (let start = from; start < group.rows && left > 0;) {
        const count = Math.min(group.rows - start, batch - waiting.rows, left)
        append(waiting, group, start, count)
        start += count
        left -= count
        if (waiting.rows === batch) {
          yield finished(waiting)
          waiting = emptyBatch(waiting.columns.keys())
        }
      }
      if (left === 0) break
    }
    if (left === 0) break
  }
  if (waiting.rows > 0) yield finished(waiting)
}

/** Rows of one file in groups of whatever size its reader likes. `optional` columns are kept where they exist. */
export function rowsOf(path: string, options: ReadOptions): AsyncGenerator<RowGroup> {
  const { columns, optional, format, packing, numeric, dialect, field, bytes, lineColumn, place } = options
  const file: TableFile = {
    path,
    place: place === undefined ? path : `${place} › ${path}`,
    packing: packing ?? splitName(path).packing,
    bytes,
  }
  const kind = format ?? tableFormat(path, file.place)
  switch (kind) {
    case 'jsonl':
    case 'json':
      return jsonRows(textOf(file), {
        place: file.place,
        columns,
        optional,
        lineColumn,
        field,
        layout: kind === 'json' ? 'document' : 'lines',
      })
    case 'csv':
    case 'tsv':
      return csvRows(textOf(file), {
        place: file.place,
        dialect: { separator: kind === 'csv' ? ',' : '\t', ...dialect },
        columns,
        optional,
        numeric,
        lineColumn,
      })
    case 'parquet':
      return parquetRows(file, { columns, optional, lineColumn })
    default:
      return kind satisfies never
  }
}

interface Growing {
  rows: number
  readonly columns: Map<string, unknown[]>
}

function emptyBatch(names: Iterable<string> = []): Growing {
  return { rows: 0, columns: new Map(Array.from(names, (name) => [name, []])) }
}

/** Adds rows `start … start + count` of a group; a column one side lacks is null there. */
function append(batch: Growing, group: RowGroup, start: number, count: number): void {
  for (const [name, values] of group.columns) {
    const target = batch.columns.get(name) ?? Array.from({ length: batch.rows }, () => null)
    for (let i = start; i < start + count; i++) target.push(values[i] ?? null)
    batch.columns.set(name, target)
  }
  batch.rows += count
  for (const values of batch.columns.values()) while (values.length < batch.rows) values.push(null)
}

function finished({ rows, columns }: Growing): Batch {
  return { rows, columns: Object.fromEntries(columns) }
}
