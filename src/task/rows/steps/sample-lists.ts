/**
 * In every row of lists, a sample of the items by Python's `random.Random(42)`, whose single generator continues from
 * row to row and split to split.
 */
import { pythonRandom } from '#platform/random'
import { listsOf } from './explode.ts'
import { eachSplit, type StepKind } from './step.ts'

export interface SampleLists {
  /** Columns whose lists run side by side; the first gives their length. */
  readonly columns: readonly string[]
  /** Items to draw; a shorter list gives all, in drawn order. */
  readonly items: number
}

export const sampleLists: StepKind<SampleLists> = {
  before: (wanted, { columns }) => new Set([...wanted, ...columns]),
  splitsBefore: (wanted, _, all) => new Set([...all, ...wanted]),
  apply(splits, { columns: names, items }) {
    const random = pythonRandom(42)
    return eachSplit(splits, (rows) => {
      const drawn = listsOf(rows, names[0] ?? '').map(({ length }) => random.sample(length, Math.min(items, length)))
      const columns = names.map(
        (name) => [name, listsOf(rows, name).map((list, row) => drawn[row]?.map((i) => list[i]))] as const,
      )
      return { ...rows, columns: { ...rows.columns, ...Object.fromEntries(columns) } }
    })
  },
}
