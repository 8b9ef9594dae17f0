/** Numbers that are stored as text. */
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

/** The column. */
export const number: StepKind<string> = {
  before: (wanted) => wanted,
  apply: (splits, name) => eachSplit(splits, (rows) => withColumn(rows, name, columnOf(rows, name).map(Number))),
}
