/**
 * SQL asked of given tables alone: in a database of its own, which sees no file, no network and no setting once they
 * lie in it.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api'
import { fault, type Fault } from '#core'
import { threadBudget } from '#platform/threads'
import { cell } from './cell.ts'
import { readFault } from './check-file.ts'
import { type Database, fileLiteral, identifier, literal, loadDuckDb } from './database.ts'
import { columnType, duckValue } from './duck-value.ts'
import { plainValue } from './plain-value.ts'
import { sqlFault } from './sql-fault.ts'
import type { ColumnType, TableColumn, TableRow } from './writing.ts'

export interface QueryTable {
  readonly name: string
  /** Not of vectors. Files bring more. */
  readonly columns: readonly TableColumn[]
  readonly rows?: Iterable<TableRow> | undefined
  /** Parquet files whose rows are added, each with the `columns` that all its rows share. */
  readonly files?: readonly { readonly path: string; readonly values: TableRow }[] | undefined
  /** Gets the number that a row has in its file, from 0. */
  readonly rowColumn?: string | undefined
}

export interface TablesAnswer {
  readonly columns: readonly TableColumn[]
  /** To be read to the end, or ended. Lists, structs and other values that are no column's are JSON text. */
  readonly batches: AsyncGenerator<readonly TableRow[]>
  /** Files that are left out. */
  readonly unreadable: readonly Fault[]
}

interface AskOptions {
  /** For messages. */
  readonly place: string
  /** Tables that there are, for messages; default those given. */
  readonly known?: readonly string[] | undefined
  /** Longest time that the database may work on it; default 300. */
  readonly seconds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const usualSeconds = 300

/**
 * The rows of one question – a SELECT, a PIVOT, a DESCRIBE. Throws `usage.value` with DuckDB's words for what it does
 * not understand, for statements that change something, and for what reaches beyond the tables; `format.limit` where it
 * takes too long; `run.cancelled`.
 */
export async function askTables(
  sql: string,
  tables: readonly QueryTable[],
  { place, signal, seconds = usualSeconds, known: names = tables.map(({ name }) => name) }: AskOptions,
): Promise<TablesAnswer> {
  const sandbox = await openSandbox()
  const { database } = sandbox
  const clock = startClock(seconds, () => stop())
  const failed = (error: unknown): unknown => failure(error, { place, names, signal, clock })
  let interrupts: NodeJS.Timeout | undefined
  const stop = (): void => {
    // an interrupt before a statement has begun stops nothing
    interrupts = setInterval(() => database.connection.interrupt(), 10).unref()
  }
  signal?.addEventListener('abort', stop, { once: true })
  const close = (): void => {
    clearInterval(interrupts)
    clock.end()
    signal?.removeEventListener('abort', stop)
    sandbox.close()
  }
  try {
    const unreadable: Fault[] = []
    for (const table of tables) unreadable.push(...(await fill(database, table, signal)))
    await database.connection.run('SET enable_external_access = false')
    await database.connection.run('SET lock_configuration = true')
    // an interrupt between two statements stops neither
    signal?.throwIfAborted()
    const result = await clock
      .time(async () => answer(database, sql, { place, names }))
      .catch((error: unknown) => Promise.reject(failed(error)))
    const columns = columnsOf(database, result)
    return {
      columns,
      unreadable,
      batches: batchesOf(
        database,
        columns,
        async () =>
          clock.time(async () => result.fetchChunk()).catch((error: unknown) => Promise.reject(failed(error))),
        close,
      ),
    }
  } catch (error) {
    close()
    throw signal?.aborted === true ? failed(error) : error
  }
}

interface Clock {
  readonly seconds: number
  /** The time is over. */
  readonly isOver: () => boolean
  /** Counts while the database works; reading its rows takes whatever time it takes. */
  readonly time: <T>(work: () => Promise<T>) => Promise<T>
  readonly end: () => void
}

function startClock(seconds: number, stop: () => void): Clock {
  let left = seconds * 1000
  let over = false
  let timer: NodeJS.Timeout | undefined
  return {
    seconds,
    isOver: () => over,
    async time(work) {
      const began = performance.now()
      timer = setTimeout(() => {
        over = true
        stop()
      }, left)
      try {
        return await work()
      } finally {
        clearTimeout(timer)
        left = Math.max(1, left - (performance.now() - began))
      }
    },
    end: () => clearTimeout(timer),
  }
}

/** What an interrupt left is the stop itself. */
function failure(
  error: unknown,
  { place, names, signal, clock }: Pick<AskOptions, 'place' | 'signal'> & { names: readonly string[]; clock: Clock },
): unknown {
  if (signal?.aborted === true) return fault('run.cancelled', { place, what: 'the query was stopped', cause: error })
  if (clock.isOver())
    return fault('format.limit', {
      place,
      what: 'the query takes too long',
      wanted: `at most ${clock.seconds} s`,
      hint: 'ask for fewer rows, or give it longer: --timeout SECONDS',
      cause: error,
    })
  return sqlFault(error, { place, tables: names })
}

async function openSandbox(): Promise<{ database: Database; close: () => void }> {
  const duckdb = await loadDuckDb()
  const spill = join(tmpdir(), `strata-query-${process.pid}-${randomBytes(6).toString('hex')}`) // made when needed
  const instance: DuckDBInstance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: String(Math.min(2, threadBudget())),
    memory_limit: '1GB',
    temp_directory: spill,
    max_temp_directory_size: '8GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const connection: DuckDBConnection = await instance.connect()
  return {
    database: { duckdb, connection },
    close() {
      connection.closeSync()
      instance.closeSync()
      rmSync(spill, { recursive: true, force: true })
    },
  }
}

/** Makes a table. Returns why files were left out. */
async function fill(
  { duckdb, connection }: Database,
  table: QueryTable,
  signal: AbortSignal | undefined,
): Promise<Fault[]> {
  const { name, columns, rows = [], files = [], rowColumn } = table
  const types = columns.map(({ type }) => columnType(duckdb, type, 1))
  const own = new Map(columns.map((column, i) => [column.name, String(types[i])]))
  if (rowColumn !== undefined) own.set(rowColumn, 'BIGINT')
  const { found, more, unreadable } = await inFiles(connection, files, [...own.keys()])
  const all = [...own, ...more]
  await connection.run(
    `CREATE TABLE ${identifier(name)} (${all.map(([column, type]) => `${identifier(column)} ${type}`).join(', ')})`,
  )

  const appender = await connection.createAppender(name)
  let waiting: TableRow[] = []
  const flush = (): void => {
    const chunk = duckdb.DuckDBDataChunk.create(types, waiting.length)
    columns.forEach((column, i) => {
      chunk.setColumnValues(
        i,
        waiting.map((row) => duckValue(duckdb, wellFormed(cell(row, column, name)), column.type)),
      )
    })
    if (waiting.length > 0) appender.appendDataChunk(chunk)
    waiting = []
  }
  if (files.length === 0) {
    for (const row of rows) if (waiting.push(row) === chunkRows) flush()
    flush()
  }
  appender.closeSync()

  for (const { path, values, names } of found) {
    signal?.throwIfAborted()
    const shared = columns.map((column) => `${sqlValue(values[column.name])} AS ${identifier(column.name)}`)
    const numbered = rowColumn === undefined ? [] : [`file_row_number AS ${identifier(rowColumn)}`]
    await connection.run(
      `INSERT INTO ${identifier(name)} BY NAME SELECT ${[...shared, ...numbered, ...names.map(identifier)].join(', ')} FROM ${parquet(path)}`,
    )
  }
  return unreadable
}

/** Rows of one DuckDB chunk. */
const chunkRows = 2048

interface FoundFile {
  readonly path: string
  readonly values: TableRow
  readonly names: readonly string[]
}

/** Columns of all files, those named `taken` left out. Where two differ in type, the column is text. */
async function inFiles(
  connection: DuckDBConnection,
  files: NonNullable<QueryTable['files']>,
  taken: readonly string[],
): Promise<{ found: FoundFile[]; more: Map<string, string>; unreadable: Fault[] }> {
  const folded = new Set([...taken, 'file_row_number'].map((name) => name.toLowerCase()))
  /** By the name that DuckDB takes for the same. */
  const more = new Map<string, { name: string; type: string }>()
  const found: FoundFile[] = []
  const unreadable: Fault[] = []
  for (const { path, values } of files) {
    try {
      const result = await connection.run(`SELECT * FROM ${parquet(path)} LIMIT 0`)
      const own = result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) }))
      const kept = own.filter(({ name }) => !folded.has(name.toLowerCase()))
      for (const { name, type } of kept) {
        const before = more.get(name.toLowerCase())
        if (before === undefined) more.set(name.toLowerCase(), { name, type })
        else if (before.type !== type) more.set(name.toLowerCase(), { name: before.name, type: 'VARCHAR' })
      }
      found.push({ path, values, names: kept.map(({ name }) => name) })
    } catch (error) {
      unreadable.push(readFault(error, path))
    }
  }
  return { found, more: new Map(Array.from(more.values(), ({ name, type }) => [name, type])), unreadable }
}

function parquet(path: string): string {
  return `read_parquet(${fileLiteral(resolve(path))}, hive_partitioning = false, file_row_number = true)`
}

function sqlValue(value: unknown): string {
  if (typeof value === 'string') return literal(wellFormed(value))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'NULL'
}

/** As UTF-8 can say it; a statement ends at a nought. */
function wellFormed<Value>(value: Value): Value | string {
  return typeof value === 'string' ? Buffer.from(value).toString().replaceAll('\0', '\uFFFD') : value
}

/**
 * Table functions that change how the database works, whatever its settings say, and those that run a text as SQL, in
 * which they could hide.
 */
const withheld =
  /\b(?:(?:enable|disable)_(?:logging|profiling)|truncate_duckdb_logs|json_execute_serialized_sql|query)\b["\s]*(?:\(|--|\/\*)/i

/** Statements that a PIVOT consists of, and one's own views and macros, come before the question. */
async function answer(
  { connection, duckdb }: Database,
  sql: string,
  { place, names }: { place: string; names: readonly string[] },
): Promise<DuckDBResult> {
  const { SELECT, CREATE } = duckdb.StatementType
  const hidden = withheld.exec(sql)
  if (hidden !== null)
    throw fault('usage.value', { place, what: 'this function is not available here', seen: hidden[0] })
  const statements = await connection.extractStatements(sql)
  for (let at = 0; at < statements.count; at++) {
    const prepared = await statements.prepare(at)
    const last = at === statements.count - 1
    if (prepared.statementType !== (last ? SELECT : CREATE))
      throw fault('usage.value', {
        place,
        what: 'one question at a time, and nothing is changed',
        seen: duckdb.StatementType[prepared.statementType],
        wanted: 'SELECT',
        hint: `the tables are ${names.join(', ')}`,
      })
    if (last) return prepared.stream()
    await prepared.run()
  }
  throw fault('usage.value', {
    place,
    what: 'no question',
    hint: `for example: SELECT * FROM ${names[0] ?? 'table'} LIMIT 10`,
  })
}

function columnsOf({ duckdb }: Database, result: DuckDBResult): TableColumn[] {
  const {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    UTINYINT,
    USMALLINT,
    UINTEGER,
    UBIGINT,
    HUGEINT,
    UHUGEINT,
    FLOAT,
    DOUBLE,
    DECIMAL,
  } = duckdb.DuckDBTypeId
  const types = new Map<number, ColumnType>([
    [BOOLEAN, 'boolean'],
    ...[TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER].map((id) => [id, 'integer'] as const),
    // a sum of whole numbers is one of 128 bits
    ...[UBIGINT, HUGEINT, UHUGEINT, FLOAT, DOUBLE, DECIMAL].map((id) => [id, 'number'] as const),
  ])
  return result
    .deduplicatedColumnNames()
    .map((name, i) => ({ name, type: types.get(result.columnTypeId(i)) ?? 'text' }))
}

async function* batchesOf(
  { duckdb }: Database,
  columns: readonly TableColumn[],
  fetchChunk: () => ReturnType<DuckDBResult['fetchChunk']>,
  close: () => void,
): AsyncGenerator<readonly TableRow[]> {
  try {
    for (;;) {
      const chunk = await fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      const values = columns.map(({ type }, i) =>
        chunk.getColumnValues(i).map((value) => shown(plainValue(value, duckdb), type)),
      )
      yield Array.from({ length: chunk.rowCount }, (_, row) =>
        Object.fromEntries(columns.map(({ name }, i) => [name, values[i]?.[row] ?? null])),
      )
    }
  } finally {
    close()
  }
}

function shown(value: unknown, type: ColumnType): unknown {
  if (value === null) return null
  if (type === 'number') return Number(value)
  if (type !== 'text' || typeof value === 'string') return value
  return value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
