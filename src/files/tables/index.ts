/**
 * tables: rows in and out – json lines, json, csv, tsv, parquet, plain texts; SQL over rows.
 *
 * In: files and streams, compressed or not. Out: columns, batches, texts, rows of a query; and files that appear
 * complete or not at all.
 * Never: the meaning of a task, a repository, the network, a value changed because of its appearance.
 */
export { askTables, type QueryTable, type TablesAnswer } from './ask-tables.ts'
export { csvLine } from './csv-line.ts'
export type { CsvDialect } from './csv-rows.ts'
export { jsonLine } from './jsonl-writer.ts'
export { parquetNote } from './parquet-note.ts'
export { type Batch, type BatchOptions, readBatches, type ReadOptions } from './read-batches.ts'
export { readColumns } from './read-columns.ts'
export { readTexts, type TextFormat, type TextOptions, type TextRow, type TextSource } from './read-texts.ts'
export { type Packing, splitName, tableFormat, type TableFormat } from './table-format.ts'
export { createTableWriter, type WrittenFormat, writtenFormat } from './table-writer.ts'
export type { ColumnType, TableColumn, TableRow, TableWriter } from './writing.ts'
