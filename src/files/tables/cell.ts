/** One value to be written, checked against its column. */
import { fault } from '#core'
import type { TableColumn, TableRow } from './writing.ts'

export type Cell = string | number | bigint | boolean | Float32Array | null

/** Widest vector a table takes; DuckDB's fixed-size arrays end at 100,000. */
const maxWidth = 65_536

/** Throws `table.column` for columns that were not declared: they would be lost. */
export function checkNames(row: TableRow, columns: readonly TableColumn[], place: string): void {
  for (const name of Object.keys(row))
    if (!columns.some((column) => column.name === name))
      throw fault('table.column', { place, what: `no column ${name} was declared`, wanted: columns.map((c) => c.name) })
}

/** The value of a column in a row, as written; throws `table.column` when its type is another. */
export function cell(row: TableRow, { name, type }: TableColumn, place: string): Cell {
  const value = row[name]
  if (value === undefined || value === null) return null
  switch (type) {
    case 'text':
      if (typeof value === 'string') return value
      break
    case 'number':
      if (typeof value === 'number') return value
      break
    case 'boolean':
      if (typeof value === 'boolean') return value
      break
    case 'integer':
      if (Number.isSafeInteger(value)) return value as number
      if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value
      break
    case 'vector': {
      const vector = vectorOf(value)
      if (vector !== undefined && vector.length > 0 && vector.length <= maxWidth) return vector
      break
    }
    default:
      return type satisfies never
  }
  throw fault('table.column', { place, what: `value does not fit column ${name}`, seen: value, wanted: type })
}

function vectorOf(value: unknown): Float32Array | undefined {
  if (value instanceof Float32Array) return value
  return Array.isArray(value) && value.every((x) => typeof x === 'number') ? Float32Array.from(value) : undefined
}
