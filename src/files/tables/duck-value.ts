/** Our columns and values as DuckDB's. */
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { Cell } from './cell.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './writing.ts'

type Module = Database['duckdb']

export function columnType(duckdb: Module, type: ColumnType, width: number): DuckDBType {
  switch (type) {
    case 'text':
      return duckdb.VARCHAR
    case 'integer':
      return duckdb.BIGINT
    case 'number':
      return duckdb.DOUBLE
    case 'boolean':
      return duckdb.BOOLEAN
    case 'vector':
      return duckdb.ARRAY(duckdb.FLOAT, width)
    default:
      return type satisfies never
  }
}

export function duckValue(duckdb: Module, value: Cell, type: ColumnType | undefined): DuckDBValue {
  if (value instanceof Float32Array) return duckdb.arrayValue(Array.from(value))
  return type === 'integer' && typeof value === 'number' ? BigInt(value) : value
}
