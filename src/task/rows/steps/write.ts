/** Texts made of a pattern with the names of columns in braces: `doc_{meta.task_id}`. */
import { fault } from '#core'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

const named = /\{([^{}]+)\}/g

/** New column → pattern; values stand as Python prints them, a missing one is a `task.value` fault. */
export const write: StepKind<Readonly<Record<string, string>>> = {
  before: (wanted, patterns) =>
    new Set([
      ...[...wanted].filter((name) => !Object.hasOwn(patterns, name)),
      ...Object.values(patterns).flatMap((pattern) => [...pattern.matchAll(named)].map(([, name = '']) => name)),
    ]),
  apply: (splits, patterns) =>
    eachSplit(splits, (rows) => {
      const value = (name: string, row: number): string => {
        const found = columnOf(rows, name)[row] ?? null
        if (found === null)
          throw fault('task.value', { place: `${rows.place} › row ${row + 1}`, what: `no ${name}`, seen: null })
        return pythonText(found)
      }
      return Object.entries(patterns).reduce(
        (wide, [name, pattern]) =>
          withColumn(
            wide,
            name,
            Array.from({ length: rows.rows }, (_, row) =>
              pattern.replace(named, (_whole, column: string) => value(column, row)),
            ),
          ),
        rows,
      )
    }),
}
