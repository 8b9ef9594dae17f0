/**
 * Rows with several things of a kind → one row per thing, in the order of the rows; the other columns are repeated in
 * each.
 */
import { columnOf, eachSplit, pickRows, type StepKind, withColumn } from './step.ts'

export interface Melt {
  /** New column → the columns its values are from, first thing first; all lists are equally long. */
  readonly into: Readonly<Record<string, readonly string[]>>
  /** Column of a thing's place in its row, from 1. */
  readonly place?: string
}

export const melt: StepKind<Melt> = {
  before: (wanted, { into, place }) =>
    new Set([
      ...[...wanted].filter((name) => !Object.hasOwn(into, name) && name !== place),
      ...Object.values(into).flat(),
    ]),
  apply: (splits, { into, place }) =>
    eachSplit(splits, (rows) => {
      const things = Object.values(into)[0]?.length ?? 0
      const long = pickRows(
        rows,
        Array.from({ length: rows.rows * things }, (_, i) => Math.floor(i / things)),
      )
      const melted = Object.entries(into).reduce((wide, [name, sources]) => {
        const values = sources.map((source) => columnOf(rows, source))
        return withColumn(
          wide,
          name,
          Array.from({ length: wide.rows }, (_, i) => values[i % things]?.[Math.floor(i / things)] ?? null),
        )
      }, long)
      return place === undefined
        ? melted
        : withColumn(
            melted,
            place,
            Array.from({ length: melted.rows }, (_, i) => (i % things) + 1),
          )
    }),
}
