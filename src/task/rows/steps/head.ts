/** The first rows. */
import { eachSplit, pickRows, type StepKind } from './step.ts'

/** How many. */
export const head: StepKind<number> = {
  before: (wanted) => wanted,
  apply: (splits, size) =>
    eachSplit(splits, (rows) =>
      pickRows(
        rows,
        Array.from({ length: Math.min(size, rows.rows) }, (_, i) => i),
      ),
    ),
}
