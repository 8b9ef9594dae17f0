/** Columns from rows, by name or by a dotted path into a struct; the fault for a missing one. */
import { fault, nearest, type Fault } from '#core'
import { isObject } from '#files/formats'

/** Rows of one file in order, column by column; every array is `rows` long. */
export interface RowGroup {
  readonly rows: number
  readonly columns: ReadonlyMap<string, unknown[]>
}

/** Names a message lists at most. */
const listed = 40

/**
 * Value of a column in a row: a key of that name, otherwise the path that its dots describe. Undefined when the row
 * does not have it.
 */
export function valueAt(row: unknown, name: string): unknown {
  if (!isObject(row)) return undefined
  if (Object.hasOwn(row, name)) return row[name]
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const head = name.slice(0, dot)
    if (!Object.hasOwn(row, head)) continue
    const found = valueAt(row[head], name.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

export function missingColumn(place: string, name: string, seen: readonly string[]): Fault {
  const near = nearest(name, seen)
  return fault('table.column', {
    place,
    what: `no column ${name}`,
    seen:
      seen.length === 0
        ? 'no columns'
        : `columns ${seen.slice(0, listed).join(', ')}${seen.length > listed ? ` and ${seen.length - listed} more` : ''}`,
    ...(near !== undefined && near !== name ? { hint: `did you mean ${near}?` } : {}),
  })
}

interface Wanted {
  /** Default: all there are. */
  readonly columns?: readonly string[] | undefined
  /** Null where there is none. */
  readonly optional?: readonly string[] | undefined
  /** Gets the `lines` of the rows. */
  readonly lineColumn?: string | undefined
}

/** Collects row groups from rows that are objects, and watches that every wanted column turns up. */
export function rowCollector(place: string, { columns: wanted, optional = [], lineColumn }: Wanted) {
  const known = new Set<string>()
  const found = new Set<string>()
  let total = 0

  const check = (): void => {
    const missing = wanted?.find((name) => !found.has(name))
    if (missing !== undefined) throw missingColumn(place, missing, [...known])
  }
  return {
    /**
     * Throws `table.column` when the first `patience` rows have not shown a wanted column. Rows without `lines` are
     * numbered through.
     */
    group(rows: readonly Record<string, unknown>[], lines?: readonly number[]): RowGroup {
      for (const row of rows) for (const name of Object.keys(row)) known.add(name)
      const columns = new Map<string, unknown[]>()
      for (const name of wanted === undefined ? known : [...wanted, ...optional]) {
        columns.set(
          name,
          rows.map((row) => {
            const value = valueAt(row, name)
            if (value !== undefined) found.add(name)
            return value ?? null
          }),
        )
      }
      if (lineColumn !== undefined)
        columns.set(
          lineColumn,
          rows.map((_, i) => lines?.[i] ?? total + i + 1),
        )
      if (total < patience && total + rows.length >= patience) check()
      total += rows.length
      return { rows: rows.length, columns }
    },
    /** At the end of a file with rows. */
    finish(): void {
      if (total > 0) check()
    },
  }
}

/** Rows after which a wanted column that no row had counts as missing. */
const patience = 10_000
