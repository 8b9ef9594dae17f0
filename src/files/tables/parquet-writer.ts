/**
 * Rows as parquet, through DuckDB. A parquet file is written in one go, so rows gather in a table of bounded size, go
 * out as parts, and the parts are joined at the end; a single part needs no joining.
 */
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { DuckDBAppender, DuckDBType } from '@duckdb/node-api'
import { fault } from '#core'
import { cell, checkNames, type Cell } from './cell.ts'
import { columnType, duckValue } from './duck-value.ts'
import { connect, fileLiteral, identifier, literal, type Database } from './database.ts'
import type { TableColumn, TableWriter } from './writing.ts'
import { createWholeFile, putInPlace, temporaryEnding, writeFault } from '#platform/disk'

/** Rows of one DuckDB chunk. */
const chunkRows = 2048
/** Bytes of values a part holds, and so a row group of the file. */
const partBytes = 32 * 1024 * 1024

export async function parquetWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const folded = new Set(columns.map(({ name }) => name.toLowerCase()))
  if (columns.length === 0 || folded.size < columns.length)
    throw fault('table.column', {
      place: path,
      what: 'parquet columns need names that differ by more than case',
      seen: columns.map(({ name }) => name),
    })

  const whole = await createWholeFile(path) // folder and permission are known before any work
  const temporary = resolve(whole.temporary)
  const database = await connect()
  const stage = stageOf(database, columns)
  const parts: string[] = []
  let pending: Cell[][] = [] // rows not yet in a chunk
  let bytes = 0
  let widths: (number | undefined)[] = columns.map(() => undefined)

  const guarded = async <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => Promise.reject(writeFault(error, path)))

  const endPart = async (): Promise<void> => {
    if (pending.length > 0) await stage.add(pending, widths)
    pending = []
    if (bytes === 0 && parts.length > 0) return
    const part = `${temporary.slice(0, -temporaryEnding.length)}.part${parts.length}${temporaryEnding}`
    parts.push(part)
    await stage.write(part, widths)
    bytes = 0
    widths = columns.map(() => undefined)
  }

  const cleanUp = async (): Promise<void> => {
    database.connection.closeSync()
    await whole.abort()
    for (const part of parts) await rm(part, { force: true })
  }

  return {
    append: (rows) =>
      guarded(async () => {
        for (const row of rows) {
          checkNames(row, columns, path)
          const cells = columns.map((column) => cell(row, column, path))
          if (
            cells.some(
              (value, i) => value instanceof Float32Array && widths[i] !== undefined && widths[i] !== value.length,
            )
          )
            await endPart()
          for (const [i, value] of cells.entries()) {
            if (value instanceof Float32Array) widths[i] ??= value.length
            bytes += sizeOf(value)
          }
          pending.push(cells)
          if (bytes >= partBytes) await endPart()
          else if (pending.length === chunkRows) {
            await stage.add(pending, widths)
            pending = []
          }
        }
      }),
    finish: () =>
      guarded(async () => {
        try {
          await endPart()
          const [only] = parts
          if (only !== undefined && parts.length === 1) await putInPlace(only, path)
          else {
            await stage.join(parts, temporary)
            await putInPlace(temporary, path)
          }
        } finally {
          await cleanUp()
        }
      }),
    abort: cleanUp,
  }
}

/**
 * The table where rows gather. Vectors are fixed-size arrays there, which are appended fast; a part has one width, and
 * widths may differ between parts.
 * A column of vectors without one so far has width 1 and nulls only; when its width becomes known, the table is made
 * again.
 */
function stageOf({ connection, duckdb }: Database, columns: readonly TableColumn[]) {
  let appender: DuckDBAppender | undefined
  let types: DuckDBType[] = []
  let made: readonly number[] = []

  const make = async (widths: readonly number[]): Promise<void> => {
    const kept = made.length > 0
    if (kept) {
      appender?.closeSync()
      await connection.run('ALTER TABLE temp.stage RENAME TO earlier')
    }
    made = widths
    types = columns.map(({ type }, i) => columnType(duckdb, type, widths[i] ?? 1))
    await connection.run(
      `CREATE TEMP TABLE stage (${columns.map(({ name }, i) => `${identifier(name)} ${String(types[i])}`).join(', ')})`,
    )
    if (kept) {
      // only columns of nulls change their type here
      const selected = columns.map(({ name }, i) =>
        columns[i]?.type === 'vector' ? `${identifier(name)}::FLOAT[]::${String(types[i])}` : identifier(name),
      )
      await connection.run(`INSERT INTO temp.stage SELECT ${selected.join(', ')} FROM temp.earlier`)
      await connection.run('DROP TABLE temp.earlier')
    }
    appender = await connection.createAppender('stage', 'main', 'temp')
  }
  const ready = async (widths: readonly (number | undefined)[]): Promise<DuckDBAppender> => {
    const wanted = widths.map((width) => width ?? 1)
    if (appender === undefined || wanted.some((width, i) => width !== made[i])) await make(wanted)
    if (appender === undefined) throw fault('internal', { place: 'parquet', what: 'no appender' })
    return appender
  }

  return {
    async add(rows: readonly (readonly Cell[])[], widths: readonly (number | undefined)[]): Promise<void> {
      const target = await ready(widths)
      for (let start = 0; start < rows.length; start += chunkRows) {
        const slice = rows.slice(start, start + chunkRows)
        const chunk = duckdb.DuckDBDataChunk.create(types, slice.length)
        for (const i of columns.keys())
          chunk.setColumnValues(
            i,
            slice.map((row) => duckValue(duckdb, row[i] ?? null, columns[i]?.type)),
          )
        target.appendDataChunk(chunk)
      }
    },
    async write(part: string, widths: readonly (number | undefined)[]): Promise<void> {
      await ready(widths)
      appender?.closeSync()
      const selected = columns.map(({ name, type }) =>
        type === 'vector' ? `${identifier(name)}::FLOAT[] AS ${identifier(name)}` : identifier(name),
      )
      await connection.run(
        `COPY (SELECT ${selected.join(', ')} FROM temp.stage) TO ${literal(part)} (FORMAT parquet, COMPRESSION zstd)`,
      )
      await connection.run('DROP TABLE temp.stage')
      appender = undefined
      made = []
    },
    async join(parts: readonly string[], path: string): Promise<void> {
      const rows = await connection.runAndReadAll(
        `SELECT min(num_rows) AS n FROM parquet_file_metadata([${parts.slice(0, -1).map(fileLiteral).join(', ')}])`,
      )
      const groupRows = Math.max(chunkRows, Number(rows.getRowObjectsJS()[0]?.['n'] ?? 0))
      await connection.run(
        `COPY (SELECT * FROM read_parquet([${parts.map(fileLiteral).join(', ')}], hive_partitioning = false)) TO ${literal(path)}
          (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows})`,
      )
    },
  }
}

function sizeOf(value: Cell): number {
  if (value instanceof Float32Array) return value.byteLength
  return typeof value === 'string' ? 16 + value.length * 2 : 8
}
