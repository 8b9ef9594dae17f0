/** One split as two, `train` and `test`: Hugging Face datasets' `train_test_split`. Seed 42. */
import { trainTestSplit } from '#platform/random'
import type { Rows } from '../dataset.ts'
import { columnOf, pickRows, type StepKind } from './step.ts'

export interface Divide {
  readonly from: string
  /** Rows (≥ 1), or the share of them (< 1). */
  readonly test: number
  /** Default: all that are left. */
  readonly train?: number
  /** A column of class labels, whose shares both parts keep. */
  readonly stratify?: string
}

export const divide: StepKind<Divide> = {
  before: (wanted, { stratify }) => (stratify === undefined ? wanted : new Set([...wanted, stratify])),
  splitsBefore: (_, { from }) => new Set([from]),
  apply(splits, { from, test, train, stratify }) {
    const rows = splits.get(from)
    if (rows === undefined) return new Map()
    const parts = trainTestSplit(rows.rows, {
      testSize: test,
      seed: 42,
      trainSize: train,
      stratifyBy: stratify === undefined ? undefined : classesOf(rows, stratify),
    })
    return new Map([
      ['train', pickRows(rows, [...parts.train])],
      ['test', pickRows(rows, [...parts.test])],
    ])
  },
}

/** Numbers of a column of class labels; rows without one are a class of their own, the last. */
export function classesOf(rows: Rows, name: string): number[] {
  return columnOf(rows, name).map((value) => (value === null ? Infinity : Number(value)))
}
