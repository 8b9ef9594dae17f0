/** One item of a list. */
import { fault } from '#core'
import { listsOf } from './explode.ts'
import { eachSplit, type StepKind, withColumn } from './step.ts'

export interface Item {
  readonly column: string
  /** From 0. */
  readonly index: number
  readonly as: string
}

export const item: StepKind<Item> = {
  before: (wanted, { column, as }) => new Set([...[...wanted].filter((name) => name !== as), column]),
  apply: (splits, { column, index, as }) =>
    eachSplit(splits, (rows) => {
      const values = listsOf(rows, column).map((list, i) => {
        if (index < list.length) return list[index]
        throw fault('task.value', {
          place: `${rows.place} › row ${i + 1}`,
          what: `${column} has no item ${index}`,
          seen: list,
        })
      })
      return withColumn(rows, as, values)
    }),
}
