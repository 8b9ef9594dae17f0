/** mteb's `stratified_subsampling`: labels that are not declared as classes become ranks of their texts over all splits first. Seed 42. */
import { trainTestSplit } from '../../core/index.ts'
import { ranksOf, recoded } from './encode.ts'
import { columnOf, eachSplit, pickRows, type StepKind } from './step.ts'

export interface Subsample {
  readonly splits: readonly string[]
  /** A split with no more rows than this stays whole. */
  readonly rows: number
  /** Column whose shares are kept; default `label`. */
  readonly label?: string
}

export const subsample: StepKind<Subsample> = {
  before: (wanted, { label = 'label' }) => new Set([...wanted, label]),
  splitsBefore: (wanted, _, all) => new Set([...all, ...wanted]),
  apply: (splits, { splits: cut, rows: size, label = 'label' }) =>
    eachSplit(splits, (rows, split) => {
      const coded = rows.classLabels.has(label) ? rows : recoded(rows, label, ranksOf([...splits.values()], label))
      if (!cut.includes(split) || size >= rows.rows) return coded
      const { test } = trainTestSplit(rows.rows, { testSize: size, seed: 42, stratifyBy: columnOf(coded, label) as number[] })
      return pickRows(coded, Array.from(test))
    }),
}
