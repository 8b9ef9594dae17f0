/** A mistake in somebody's SQL, in DuckDB's words: what, where, and what it would have understood. */
import { Fault, fault } from '#core'

/** `usage.value`; a fault stays what it is. */
export function sqlFault(error: unknown, { place, tables }: { place: string; tables: readonly string[] }): Fault {
  if (error instanceof Fault) return error
  const message = error instanceof Error ? error.message : String(error)
  const [what = '', ...rest] = message.replace(/^Failed to extract statements: /, '').split('\n')
  // what its binding says of a text without a statement
  if (what === 'Error in native callback')
    return fault('usage.value', {
      place,
      what: 'no question',
      hint: `for example: SELECT * FROM ${tables[0] ?? 'table'} LIMIT 10`,
    })
  const beyond = /^(?:Permission|Catalog) Error/.test(what)
    ? [`the tables are ${tables.join(', ')}; nothing else can be read or written`]
    : []
  return fault('usage.value', {
    place,
    what,
    hint: [...rest.filter((line) => line.trim() !== ''), ...beyond].join('\n') || undefined,
    cause: error,
  })
}
