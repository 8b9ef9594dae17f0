/** A sample by Python's `random.Random(42)`, whose single generator continues from split to split. */
import { pythonRandom } from '#platform/random'
import { eachSplit, pickRows, type StepKind } from './step.ts'

/** Rows to keep of a split that has more. */
export const pythonSample: StepKind<number> = {
  before: (wanted) => wanted,
  splitsBefore: (wanted, _, all) => new Set([...all, ...wanted]),
  apply(splits, size) {
    const random = pythonRandom(42)
    return eachSplit(splits, (rows) => (rows.rows > size ? pickRows(rows, random.sample(rows.rows, size)) : rows))
  },
}
