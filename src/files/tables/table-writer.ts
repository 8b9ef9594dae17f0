/** Rows to a file, as a stream: millions of rows in bounded memory, and the file appears only when it is whole. */
import { fault } from '#core'
import { csvWriter } from './csv-writer.ts'
import { jsonlWriter } from './jsonl-writer.ts'
import { parquetWriter } from './parquet-writer.ts'
import { splitName } from './table-format.ts'
import type { TableColumn, TableWriter } from './writing.ts'

const writers = { parquet: parquetWriter, jsonl: jsonlWriter, csv: csvWriter } as const
export type WrittenFormat = keyof typeof writers

/** By the ending of a file's name. Throws `format.unknown`. */
export function writtenFormat(path: string): WrittenFormat {
  const { extension, packing } = splitName(path)
  const format = (Object.keys(writers) as WrittenFormat[]).find((name) => name === extension)
  if (format === undefined || packing !== 'none')
    throw fault('format.unknown', {
      place: path,
      what: 'tables are not written in this format',
      wanted: '.parquet, .jsonl or .csv',
    })
  return format
}

/**
 * A writer for the table at `path`, in the format of its ending: jsonl, csv or parquet. In jsonl, vectors are arrays of
 * numbers that read back to the same float32, and a number that JSON cannot express is null; in parquet, text that is
 * not well-formed Unicode gets U+FFFD; in csv, text that a spreadsheet would run gets an apostrophe. Throws
 * `format.unknown`, `file.write`.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { createTableWriter } from 'strata-lm/formats'
 *
 * const table = await createTableWriter('out.jsonl', [
 *   { name: 'id', type: 'integer' },
 *   { name: 'text', type: 'text' },
 * ])
 * await table.append([{ id: 1, text: 'first' }, { id: 2 }])
 * await table.finish()
 * console.log((await readFile('out.jsonl', 'utf8')).trim())
 * // → {"id":1,"text":"first"}
 * // → {"id":2,"text":null}
 * ```
 */
export async function createTableWriter(
  path: string,
  columns: readonly TableColumn[],
  { format = writtenFormat(path) }: { format?: WrittenFormat | undefined } = {},
): Promise<TableWriter> {
  return writers[format](path, columns)
}
