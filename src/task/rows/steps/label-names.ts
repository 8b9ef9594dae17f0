/**
 * Numbers that stand for class labels → the labels' names, as the data set declares them (`ClassLabel.int2str` of
 * Hugging Face datasets).
 */
import { fault } from '#core'
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface LabelNames {
  readonly column: string
  /** Names where the data set declares none. */
  readonly names?: readonly string[]
  /** A missing number, or one without a name, becomes a missing name. */
  readonly lenient?: boolean
}

/** Names stay; a number without a name is a `task.label` fault. */
export const labelNames: StepKind<LabelNames> = {
  before: (wanted, { column }) => new Set([...wanted, column]),
  apply: (splits, { column, names: known = [], lenient = false }) =>
    eachSplit(splits, (rows) => {
      const declared = rows.classLabels.get(column) ?? []
      const names = declared.length > 0 ? declared : known
      const texts = columnOf(rows, column).map((value, i) => {
        if (typeof value === 'string' && names.includes(value)) return value
        const name = value === null ? undefined : names[Number(value)]
        if (name !== undefined) return name
        if (lenient && names.length > 0) return null
        throw fault('task.label', {
          place: `${rows.place} › row ${i + 1}`,
          what: `unknown ${column}`,
          seen: value,
          wanted: names,
        })
      })
      return withColumn(rows, column, texts)
    }),
}
