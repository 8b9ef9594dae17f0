/** The name of the split that a row is of. */
import { eachSplit, type StepKind, withColumn } from './step.ts'

/** The new column. */
export const splitName: StepKind<string> = {
  before: (wanted, as) => new Set([...wanted].filter((name) => name !== as)),
  apply: (splits, as) =>
    eachSplit(splits, (rows, split) =>
      withColumn(
        rows,
        as,
        Array.from({ length: rows.rows }, () => split),
      ),
    ),
}
