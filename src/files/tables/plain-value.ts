/** DuckDB's values as plain JavaScript: numbers, strings, booleans, null, arrays, objects, bytes. */
import type * as DuckDB from '@duckdb/node-api'

/**
 * Integers are numbers where a number prints the same, otherwise bigints, decimals alike and otherwise texts. Dates are ISO strings: `2020-01-31`,
 * `2020-01-31T12:00:00.5` (a time zone's as UTC with `Z`). Lists and arrays are arrays, structs objects, maps objects
 * when their keys are strings, otherwise arrays of `{ key, value }`. Blobs are bytes.
 */
export function plainValue(value: DuckDB.DuckDBValue, duckdb: typeof DuckDB): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? plainInteger(value) : value
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue)
    return value.items.map((item) => plainValue(item, duckdb))
  if (value instanceof duckdb.DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, plainValue(entry, duckdb)]))
  if (value instanceof duckdb.DuckDBMapValue) {
    const entries = value.entries.map(
      ({ key, value: entry }) => [plainValue(key, duckdb), plainValue(entry, duckdb)] as const,
    )
    return entries.every((entry): entry is readonly [string, unknown] => typeof entry[0] === 'string')
      ? Object.fromEntries(entries)
      : entries.map(([key, entry]) => ({ key, value: entry }))
  }
  if (value instanceof duckdb.DuckDBUnionValue) return plainValue(value.value, duckdb)
  if (value instanceof duckdb.DuckDBBlobValue) return Uint8Array.from(value.bytes)
  if (value instanceof duckdb.DuckDBDecimalValue) return plainDecimal(value)
  if (value instanceof duckdb.DuckDBTimestampTZValue) return isoTime(value.micros, 1_000n, 'Z') ?? value.toString()
  if (value instanceof duckdb.DuckDBTimestampValue) return isoTime(value.micros, 1_000n, '') ?? value.toString()
  if (value instanceof duckdb.DuckDBTimestampNanosecondsValue)
    return isoTime(value.nanos, 1_000_000n, '') ?? value.toString()
  if (value instanceof duckdb.DuckDBTimestampMillisecondsValue) return isoTime(value.millis, 1n, '') ?? value.toString()
  if (value instanceof duckdb.DuckDBTimestampSecondsValue)
    return isoTime(value.seconds * 1_000n, 1n, '') ?? value.toString()
  return value.toString()
}

function plainInteger(value: bigint): number | bigint {
  const number = Number(value)
  return String(number) === String(value) ? number : value
}

/** A number where one has all the digits, otherwise their text. */
function plainDecimal(value: DuckDB.DuckDBDecimalValue): number | string {
  return String(value.value).replace('-', '').length <= exactDigits ? value.toDouble() : value.toString()
}

/** Every decimal of this many digits is told from its neighbours by a number. */
const exactDigits = 15

/** Undefined for infinities and years JavaScript has no date for. */
function isoTime(ticks: bigint, perMillisecond: bigint, zone: string): string | undefined {
  const millis = (ticks - (((ticks % perMillisecond) + perMillisecond) % perMillisecond)) / perMillisecond
  const date = new Date(Number(millis))
  if (Number.isNaN(date.getTime())) return undefined
  const rest = ticks - millis * perMillisecond
  const finer = String(rest).padStart(String(perMillisecond).length - 1, '0')
  const fraction =
    `${String(date.getTime() - Math.floor(date.getTime() / 1000) * 1000).padStart(3, '0')}${perMillisecond === 1n ? '' : finer}`.replace(
      /0+$/,
      '',
    )
  return `${date.toISOString().slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}${zone}`
}
