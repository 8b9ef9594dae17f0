/** Texts with separators: their first parts, as a list (levels of a hierarchy) or joined again (a coarser label). */
import { fault } from '#core'
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface Parts {
  readonly column: string
  readonly separator: string
  /** Parts to keep; default all. */
  readonly first?: number
  /** What joins them; absent: they stay a list. */
  readonly join?: string
}

export const parts: StepKind<Parts> = {
  before: (wanted) => wanted,
  apply: (splits, { column, separator, first, join }) =>
    eachSplit(splits, (rows) => {
      const values = columnOf(rows, column).map((value, i) => {
        if (typeof value !== 'string')
          throw fault('task.value', {
            place: `${rows.place} › row ${i + 1}`,
            what: `${column} is not a text`,
            seen: value,
          })
        const kept = value.split(separator).slice(0, first)
        return join === undefined ? kept : kept.join(join)
      })
      return withColumn(rows, column, values)
    }),
}
