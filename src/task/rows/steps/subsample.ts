/**
 * mteb's `stratified_subsampling`: labels that are not declared as classes become ranks of their texts over all splits
 * first, lists of labels are shared out by iterative stratification. Seed 42.
 */
import { trainTestSplit } from '#platform/random'
import type { Rows } from '../dataset.ts'
import { classesOf } from './divide.ts'
import { encoded, namesOf } from './encode.ts'
import { listsOf } from './explode.ts'
import { iterativeSample } from './iterative-sample.ts'
import { columnOf, eachSplit, pickRows, type Splits, type StepKind } from './step.ts'

export interface Subsample {
  readonly splits: readonly string[]
  /** A split with no more rows than this stays whole. */
  readonly rows: number
  /** Column whose shares are kept; default `label`. */
  readonly label?: string
  /** Nothing happens, labels become no ranks either, unless the first of `splits` has more rows. */
  readonly ifLarger?: boolean
}

export const subsample: StepKind<Subsample> = {
  before: (wanted, { label = 'label' }) => new Set([...wanted, label]),
  // the names of labels that are not declared are those of all splits
  splitsBefore: (wanted, { splits, label = 'label' }, all, isDeclared) =>
    new Set([...(isDeclared(label) ? splits.slice(0, 1) : all), ...wanted]),
  apply(splits, { splits: cut, rows: size, label = 'label', ifLarger = false }) {
    const first = cut.flatMap((split) => splits.get(split) ?? [])[0] ?? [...splits.values()][0]
    if (first === undefined || (ifLarger && first.rows <= size)) return splits
    if (Array.isArray(columnOf(first, label)[0])) return sampleLists(splits, cut, size, label)
    const names = first.classLabels.has(label) ? undefined : namesOf([...splits.values()], label)
    return eachSplit(splits, (rows, split) => {
      const coded = names === undefined ? rows : encoded(rows, label, names)
      if (!cut.includes(split) || size >= rows.rows) return coded
      const { test } = trainTestSplit(rows.rows, { testSize: size, seed: 42, stratifyBy: classesOf(coded, label) })
      return pickRows(coded, [...test])
    })
  },
}

function sampleLists(splits: Splits, cut: readonly string[], size: number, label: string): Splits {
  return eachSplit(splits, (rows: Rows, split) => {
    if (!cut.includes(split) || rows.rows === 0) return rows
    return pickRows(rows, iterativeSample(listsOf(rows, label), size / rows.rows))
  })
}
