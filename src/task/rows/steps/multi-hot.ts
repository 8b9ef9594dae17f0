/** Several columns that each say yes or no to one label, as one list: the positions of the columns that say yes. */
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface MultiHot {
  readonly columns: readonly string[]
  /** What says yes. */
  readonly value: string | number | boolean
  readonly as: string
}

export const multiHot: StepKind<MultiHot> = {
  before: (wanted, { columns, as }) => new Set([...[...wanted].filter((name) => name !== as), ...columns]),
  apply: (splits, { columns, value: yes, as }) =>
    eachSplit(splits, (rows) => {
      const answers = columns.map((name) => columnOf(rows, name))
      const lists = Array.from({ length: rows.rows }, (_, row) =>
        answers.flatMap((values, label) => (values[row] === yes ? [label] : [])),
      )
      return withColumn(rows, as, lists)
    }),
}
