/** Several splits, one after the other, as one. */
import type { Rows } from '../dataset.ts'
import { columnOf, type StepKind } from './step.ts'

/** New split → the splits it consists of; all others are gone. */
export const unite: StepKind<Readonly<Record<string, readonly string[]>>> = {
  before: (wanted) => wanted,
  splitsBefore: (wanted, unions) =>
    new Set(Object.entries(unions).flatMap(([name, parts]) => (wanted.has(name) ? parts : []))),
  apply: (splits, unions) =>
    new Map(
      Object.entries(unions).flatMap(([name, parts]) => {
        const found = parts.flatMap((part) => splits.get(part) ?? [])
        return found.length === parts.length ? [[name, stacked(found)] as const] : []
      }),
    ),
}

/** Rows below each other; declared class labels are those of the first. */
export function stacked(all: readonly Rows[]): Rows {
  const [first] = all
  if (first === undefined) throw new Error('nothing to unite')
  const columns = Object.keys(first.columns).map((name) => [name, all.flatMap((rows) => columnOf(rows, name))] as const)
  return {
    ...first,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    columns: Object.fromEntries(columns),
    untyped: all.some(({ untyped }) => untyped),
  }
}
