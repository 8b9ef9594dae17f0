/** Splits told apart by a column of one split that is read: the rows that bear the new split's name. */
import { columnOf, pickRows, type StepKind } from './step.ts'

export interface SplitBy {
  /** The split that is read. */
  readonly from: string
  readonly column: string
  readonly splits: readonly string[]
}

export const splitBy: StepKind<SplitBy> = {
  before: (wanted, { column }) => new Set([...wanted, column]),
  splitsBefore: (_, { from }) => new Set([from]),
  apply(splits, { from, column, splits: names }) {
    const rows = splits.get(from)
    if (rows === undefined) return new Map()
    const values = columnOf(rows, column)
    return new Map(
      names.map((name) => [
        name,
        pickRows(
          { ...rows, place: `${rows.place} › ${name}` },
          values.flatMap((value, i) => (value === name ? [i] : [])),
        ),
      ]),
    )
  },
}
