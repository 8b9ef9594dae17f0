/** Labels by a table: text of the old label → new label. */
import { recoded } from './encode.ts'
import { eachSplit, type StepKind } from './step.ts'

export const relabel: StepKind<Readonly<Record<string, number>>> = {
  before: (wanted) => wanted,
  apply: (splits, codes) => eachSplit(splits, (rows) => recoded(rows, 'label', new Map(Object.entries(codes)))),
}
