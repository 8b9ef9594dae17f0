/**
 * Lines of a zstandard file. Node 20 has no zstandard; DuckDB does, behind its CSV reader, which is made to see one
 * column without quotes.
 */
import { resolve } from 'node:path'
import { readFault } from './check-file.ts'
import { connect, fileLiteral } from './database.ts'
import type { TableFile } from './table-format.ts'

/** DuckDB reserves a multiple of it beforehand. */
const maxLineBytes = 16_000_000

/** Text in pieces of whole lines; every line end becomes `\n`. */
export async function* unpackedLines({ path, place }: TableFile): AsyncGenerator<string> {
  const { connection } = await connect()
  try {
    const result = await connection.stream(
      `SELECT line FROM read_csv(${fileLiteral(resolve(path))}, columns = {'line': 'VARCHAR'}, auto_detect = false, compression = 'zstd',
        header = false, delim = '', quote = '', escape = '', comment = '', skip = 0, nullstr = '', strict_mode = false, parallel = false,
        new_line = '\\r\\n', max_line_size = ${maxLineBytes}, hive_partitioning = false)`,
    )
    for (let first = true; ; first = false) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      const text = chunk
        .getColumnValues(0)
        .map((line) => `${typeof line === 'string' ? line : ''}\n`)
        .join('')
      yield first && text.startsWith('\ufeff') ? text.slice(1) : text
    }
  } catch (error) {
    throw readFault(error, place)
  } finally {
    connection.closeSync()
  }
}
