/** The first row of each value. */
import { columnOf, eachSplit, pickRows, type StepKind } from './step.ts'

/** The column. */
export const unique: StepKind<string> = {
  before: (wanted, name) => new Set([...wanted, name]),
  apply: (splits, name) =>
    eachSplit(splits, (rows) => {
      const seen = new Set<unknown>()
      const first = columnOf(rows, name).flatMap((value, i) => (seen.has(value) ? [] : (seen.add(value), [i])))
      return pickRows(rows, first)
    }),
}
