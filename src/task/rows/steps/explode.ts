/** Rows that hold lists → one row per item: the layout of older clustering data, where a row is a whole set. */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'
import { columnOf, eachSplit, type StepKind } from './step.ts'

/** The columns of lists; others are dropped, as their rows are gone. */
export const explode: StepKind<readonly string[]> = {
  before: (wanted, names) => new Set([...wanted, ...names]),
  apply: (splits, names) => eachSplit(splits, (rows) => exploded(rows, names)),
}

function exploded(rows: Rows, names: readonly string[]): Rows {
  const columns = Object.fromEntries(names.map((name) => [name, listsOf(rows, name).flat()]))
  const lengths = Object.values(columns).map(({ length }) => length)
  if (new Set(lengths).size > 1)
    throw fault('task.value', {
      place: rows.place,
      what: 'columns of lists differ in length',
      seen: lengths,
      wanted: names,
    })
  return { ...rows, rows: lengths[0] ?? 0, columns }
}

/** A column in which every value is a list; otherwise a `task.value` fault. */
export function listsOf(rows: Rows, name: string): unknown[][] {
  return columnOf(rows, name).map((value, i) => {
    if (Array.isArray(value)) return value as unknown[]
    throw fault('task.value', { place: `${rows.place} › row ${i + 1}`, what: `${name} is not a list`, seen: value })
  })
}
