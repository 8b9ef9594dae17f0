/**
 * The one DuckDB of the process: in memory, at most two threads, bounded, without extensions from outside and without network.
 * Opened on first use.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as DuckDB from '@duckdb/node-api'
import { asFault } from '#core'
import { threadBudget } from '#platform/threads'

export interface Database {
  readonly duckdb: typeof DuckDB
  readonly connection: DuckDB.DuckDBConnection
}

let opened: Promise<{ duckdb: typeof DuckDB; instance: DuckDB.DuckDBInstance }> | undefined

/** A connection of its own, to be closed by `connection.closeSync()`. */
export async function connect(): Promise<Database> {
  opened ??= open()
  const { duckdb, instance } = await opened
  return { duckdb, connection: await instance.connect() }
}

export async function loadDuckDb(): Promise<typeof DuckDB> {
  return import('@duckdb/node-api').catch((error: unknown) => {
    throw asFault(error, 'engine.load', 'DuckDB')
  })
}

async function open(): Promise<{ duckdb: typeof DuckDB; instance: DuckDB.DuckDBInstance }> {
  const duckdb = await loadDuckDb()
  const spill = join(tmpdir(), `strata-tables-${process.pid}-${randomBytes(6).toString('hex')}`) // made when needed
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: String(Math.min(2, threadBudget())),
    memory_limit: '1GB',
    temp_directory: spill,
    preserve_insertion_order: 'true',
    // json and parquet are linked in; nothing else may come in, least of all httpfs
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    lock_configuration: 'true',
  })
  process.once('exit', () => {
    instance.closeSync()
    rmSync(spill, { recursive: true, force: true })
  })
  return { duckdb, instance }
}

/** A string as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A name as an SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * A path as a literal that names this file only: absolute, so that no scheme is seen in it, with the pattern characters
 * of DuckDB's globs taken literally.
 */
export function fileLiteral(absolute: string): string {
  return literal(absolute.replace(/[[*?]/g, '[$&]'))
}
