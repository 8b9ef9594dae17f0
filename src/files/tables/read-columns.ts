/** Whole tables as columns in memory, for the data sets of tasks. */
import { getHeapStatistics } from 'node:v8'
import { fault } from '#core'
import { rowsOf, type Batch, type ReadOptions } from './read-batches.ts'

/**
 * All rows of `paths`, file after file, as one array per column. Values are plain JavaScript: what JSON says (a string
 * stays a string whatever it looks like), text for csv, and for parquet numbers, strings, arrays, objects, and ISO
 * dates. Integers that would print differently as numbers (most beyond 2⁵³) are bigints. Missing values are null.
 *
 * Throws `table.column` when a file with rows lacks a column (naming the file and what it has), `table.read` with line
 * and column where a text is malformed, `format.limit` when the values would not fit in this process.
 *
 * @example
 * ```ts
 * import { readColumns } from 'strata-lm/formats'
 *
 * const { rows, columns } = await readColumns(['pairs-test.csv'], { columns: ['score'], numeric: ['score'] })
 * console.log(rows, columns['score']?.slice(0, 3)) // → 8 [ 4, 3, 0 ]
 * ```
 */
export async function readColumns(paths: readonly string[], options: ReadOptions = {}): Promise<Batch> {
  const room = getHeapStatistics().heap_size_limit * heapShare
  const columns = new Map<string, unknown[]>(options.columns?.map((name) => [name, []]))
  let rows = 0
  let bytes = 0
  for (const path of paths) {
    for await (const group of rowsOf(path, options)) {
      for (const [name, values] of group.columns) {
        const target = columns.get(name) ?? Array.from({ length: rows }, () => null)
        for (const value of values) {
          bytes += sizeOf(value)
          target.push(value)
        }
        columns.set(name, target)
      }
      rows += group.rows
      for (const values of columns.values()) while (values.length < rows) values.push(null)
      if (bytes > room)
        throw fault('format.limit', {
          place: options.place ?? path,
          what: `rows do not fit in memory (${rows} read so far)`,
          hint: 'read fewer columns, or give node more memory: NODE_OPTIONS=--max-old-space-size=8192',
        })
    }
  }
  return { rows, columns: Object.fromEntries(columns) }
}

/** Part of the heap that rows may fill: the rest of the program wants some too. */
const heapShare = 0.7

/**
 * Bytes a value takes in the heap, roughly: strings by length (one byte a character is the common case), structures by
 * their first level.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (value === null || typeof value !== 'object') return 8
  if (ArrayBuffer.isView(value)) return 100
  if (Array.isArray(value))
    return 32 + value.reduce((sum: number, item) => sum + (typeof item === 'string' ? 24 + item.length : 16), 0)
  return (
    64 + Object.values(value).reduce((sum: number, item) => sum + (typeof item === 'string' ? 24 + item.length : 16), 0)
  )
}
