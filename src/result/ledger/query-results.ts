/** SQL over a folder of results. */
import type { Fault } from '#core'
import { askTables, type TablesAnswer } from '#files/tables'
import { type LedgerOptions, type LedgerTable, ledgerTables, tablesOfLedger } from './ledger-tables.ts'

export interface QueryOptions extends LedgerOptions {
  /** Name of the question in messages. */
  readonly place?: string | undefined
  /** Longest time that the database may work on it; default 300. */
  readonly seconds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Answers one question in SQL (DuckDB) over a folder of results; only the tables that the question names are filled.
 * Read `batches` to its end, or end it; `unreadable` lists files that are not results. Throws `usage.value` with
 * DuckDB's message for a question it does not understand, `format.limit` where it takes too long, `file.missing`,
 * `run.cancelled`.
 *
 * @example
 * ```ts
 * import { queryResults } from 'strata-lm/ledger'
 *
 * const { batches } = await queryResults('results', 'SELECT representation, score FROM results ORDER BY score DESC')
 * for await (const rows of batches) for (const row of rows) console.log(row)
 * // → { representation: 'default', score: 0.875912 }
 * // → { representation: 'h3', score: 0.70692 }
 * ```
 */
export async function queryResults(
  root: string,
  sql: string,
  { place = 'query', seconds, signal, ...options }: QueryOptions = {},
): Promise<TablesAnswer & { unreadable: readonly Fault[] }> {
  const all = Object.keys(ledgerTables) as LedgerTable[]
  const named = all.filter((name) => new RegExp(name, 'i').test(sql))
  const { tables, unreadable } = await tablesOfLedger(root, named.length === 0 ? all : named, options)
  const answer = await askTables(sql, tables, { place, seconds, signal, known: all })
  return { ...answer, unreadable: [...unreadable, ...answer.unreadable] }
}
