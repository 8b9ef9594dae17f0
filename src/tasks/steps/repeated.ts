/** Only rows whose value occurs more than once: a class of one row can be neither stratified nor clustered. */
import { columnOf, eachSplit, pickRows, type StepKind } from './step.ts'

/** The column. */
export const repeated: StepKind<string> = {
  before: (wanted, name) => new Set([...wanted, name]),
  apply: (splits, name) =>
    eachSplit(splits, (rows) => {
      const values = columnOf(rows, name)
      const counts = new Map<unknown, number>()
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
      return pickRows(
        rows,
        values.flatMap((value, i) => (counts.get(value) === 1 ? [] : [i])),
      )
    }),
}
