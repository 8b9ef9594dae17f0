/** SQL over a folder of results. */
import type { Fault } from '#core'
import { askTables, type TablesAnswer } from '#files/tables'
import { type LedgerOptions, type LedgerTable, ledgerTables, tablesOfLedger } from './ledger-tables.ts'

export interface QueryOptions extends LedgerOptions {
  /** For messages. */
  readonly place: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Rows that answer one question; `unreadable` are files that are no results or no items. Only tables that the SQL names
 * are filled – or all, where it names none, as in
 * SHOW TABLES. Throws what `askTables` throws, `file.missing`.
 */
export async function queryResults(
  root: string,
  sql: string,
  { place, signal, ...options }: QueryOptions,
): Promise<TablesAnswer & { unreadable: readonly Fault[] }> {
  const all = Object.keys(ledgerTables) as LedgerTable[]
  const named = all.filter((name) => new RegExp(name, 'i').test(sql))
  const { tables, unreadable } = await tablesOfLedger(root, named.length === 0 ? all : named, options)
  const answer = await askTables(sql, tables, { place, signal, known: all })
  return { ...answer, unreadable: [...unreadable, ...answer.unreadable] }
}
