/** The number of a row in its split. */
import { eachSplit, type StepKind, withColumn } from './step.ts'

export interface Count {
  readonly as: string
  /** Number of the first row; default 0. */
  readonly from?: number
}

export const count: StepKind<Count> = {
  before: (wanted, { as }) => new Set([...wanted].filter((name) => name !== as)),
  apply: (splits, { as, from = 0 }) =>
    eachSplit(splits, (rows) =>
      withColumn(
        rows,
        as,
        Array.from({ length: rows.rows }, (_, i) => from + i),
      ),
    ),
}
