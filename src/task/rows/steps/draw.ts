/**
 * A seeded sample of fixed size, shares of labels not kept: the test part of Hugging Face datasets' `train_test_split`.
 * Seed 42.
 */
import { trainTestSplit } from '#platform/random'
import { eachSplit, pickRows, type StepKind } from './step.ts'

export interface Draw {
  readonly splits: readonly string[]
  readonly rows: number
}

/** A split with fewer rows is a `table.read` fault, as there is nothing to leave behind. */
export const draw: StepKind<Draw> = {
  before: (wanted) => wanted,
  apply: (splits, { splits: cut, rows: size }) =>
    eachSplit(splits, (rows, split) =>
      cut.includes(split) ? pickRows(rows, [...trainTestSplit(rows.rows, { testSize: size, seed: 42 }).test]) : rows,
    ),
}
