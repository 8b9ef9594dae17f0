/** Rows of a parquet file, through DuckDB: only the columns asked for are read, row group by row group. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Fault, fault } from '#core'
import { checkFile, pointer, readFault } from './check-file.ts'
import { missingColumn, rowCollector, type RowGroup } from './columns.ts'
import { connect, fileLiteral, identifier, type Database } from './database.ts'
import { plainValue } from './plain-value.ts'
import type { TableFile } from './table-format.ts'

/** Throws `table.read`, `table.column`, `format.lfs`. */
export async function* parquetRows(
  file: TableFile,
  {
    columns,
    optional = [],
    lineColumn,
  }: {
    columns?: readonly string[] | undefined
    optional?: readonly string[] | undefined
    lineColumn?: string | undefined
  },
): AsyncGenerator<RowGroup> {
  const { path, place } = file
  await checkFile(file)
  await checkMagic(path, place)
  const database = await connect()
  try {
    const source = `read_parquet(${fileLiteral(resolve(path))}, hive_partitioning = false)`
    const own = await ownColumns(database, resolve(path), source)
    const names = own.map(({ name }) => name)
    const leadsTo = (name: string) => (wanted: string) => wanted === name || wanted.startsWith(`${name}.`)
    const tops = columns === undefined ? own : own.filter(({ name }) => [...columns, ...optional].some(leadsTo(name)))
    const absent = columns?.find((wanted) => !tops.some(({ name }) => leadsTo(name)(wanted)))
    if (absent !== undefined) throw missingColumn(place, absent, names)

    const collector = rowCollector(place, { columns, optional, lineColumn })
    const selected = tops.length === 0 ? 'NULL' : tops.map(({ alias }) => identifier(alias)).join(', ')
    const result = await database.connection.stream(`SELECT ${selected} FROM ${source}`)
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      const values = tops.map((_, i) => chunk.getColumnValues(i).map((value) => plainValue(value, database.duckdb)))
      if (columns === undefined)
        yield { rows: chunk.rowCount, columns: new Map(tops.map(({ name }, i) => [name, values[i] ?? []])) }
      else
        yield collector.group(
          Array.from({ length: chunk.rowCount }, (_, row) =>
            Object.fromEntries(tops.map(({ name }, i) => [name, values[i]?.[row]] as const)),
          ),
        )
    }
    collector.finish()
  } catch (error) {
    throw error instanceof Fault ? error : readFault(error, place)
  } finally {
    database.connection.closeSync()
  }
}

/**
 * Top-level columns: the name in the file, and the one DuckDB gives it, which differs where two names differ in case
 * only.
 */
async function ownColumns(
  { connection }: Database,
  absolute: string,
  source: string,
): Promise<{ name: string; alias: string }[]> {
  const aliases = (await connection.run(`SELECT * FROM ${source} LIMIT 0`)).columnNames()
  const schema = await connection.runAndReadAll(
    `SELECT name, coalesce(num_children, 0) FROM parquet_schema(${fileLiteral(absolute)})`,
  )
  const names: string[] = []
  let inside = 0 // elements below the current top-level column still to come
  for (const [name, children] of schema.getRows().slice(1)) {
    if (inside > 0) inside--
    else if (typeof name === 'string') names.push(name)
    inside += Number(children)
  }
  return aliases.map((alias, i) => ({ name: names.length === aliases.length ? (names[i] ?? alias) : alias, alias }))
}

async function checkMagic(path: string, place: string): Promise<void> {
  const handle = await open(path).catch((error: unknown) => {
    throw readFault(error, place)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(40), 0, 40, 0)
    const head = buffer.toString('latin1', 0, bytesRead)
    if (head.startsWith('version https://git-lfs.github.com/')) throw pointer(place)
    if (!head.startsWith('PAR1'))
      throw fault('table.read', { place, what: 'not a parquet file', seen: head.slice(0, 4), wanted: 'PAR1' })
  } finally {
    await handle.close()
  }
}
