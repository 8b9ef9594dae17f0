/** Rows in the order of Python's `random.Random(seed).shuffle`, every split with a fresh generator. */
import { pythonRandom } from '#platform/random'
import { eachSplit, pickRows, type StepKind } from './step.ts'

/** The seed. */
export const shuffle: StepKind<number> = {
  before: (wanted) => wanted,
  apply: (splits, seed) =>
    eachSplit(splits, (rows) =>
      pickRows(rows, pythonRandom(seed).shuffle(Array.from({ length: rows.rows }, (_, i) => i))),
    ),
}
