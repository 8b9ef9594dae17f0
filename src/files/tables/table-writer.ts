/** Rows to a file, as a stream: millions of rows in bounded memory, and the file appears only when it is whole. */
import { fault } from '#core'
import { jsonlWriter } from './jsonl-writer.ts'
import { parquetWriter } from './parquet-writer.ts'
import { splitName } from './table-format.ts'
import type { TableColumn, TableWriter } from './writing.ts'

/**
 * A writer for `path`, `.parquet` or `.jsonl`. In jsonl, vectors are arrays of numbers that read back to the same float32, and a number that JSON
 * cannot say is null; in parquet, text that is not well-formed Unicode gets U+FFFD. Throws `format.unknown`, `file.write`.
 */
export async function createTableWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const { extension, packing } = splitName(path)
  if (extension === 'parquet' && packing === 'none') return parquetWriter(path, columns)
  if (extension === 'jsonl' && packing === 'none') return jsonlWriter(path, columns)
  throw fault('format.unknown', { place: path, what: 'tables are not written in this format', wanted: '.parquet or .jsonl' })
}
