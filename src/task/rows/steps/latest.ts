/**
 * The last of the rows that agree in some columns, at the place of the first: the rows that remain after filling a
 * Python dictionary.
 */
import { columnOf, eachSplit, pickRows, type StepKind } from './step.ts'

/** The columns. */
export const latest: StepKind<readonly string[]> = {
  before: (wanted, names) => new Set([...wanted, ...names]),
  apply: (splits, names) =>
    eachSplit(splits, (rows) => {
      const keys = names.map((name) => columnOf(rows, name))
      const last = new Map<string, number>()
      for (let i = 0; i < rows.rows; i++) last.set(JSON.stringify(keys.map((values) => String(values[i]))), i)
      return pickRows(rows, [...last.values()])
    }),
}
