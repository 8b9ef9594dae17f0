/**
 * Labels to numbers by the labels of one split. mteb numbers them in the order of a Python set: small numbers ascend
 * there; texts come in an order that changes from run to run, so here they ascend too (a score that does not depend on
 * which of two classes is called 1 stays the same).
 */
import { compareCodePoints, fault } from '#core'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

export interface CodeBy {
  readonly column: string
  /** A label that this split does not have is a `task.label` fault. */
  readonly split: string
}

export const codeBy: StepKind<CodeBy> = {
  before: (wanted, { column }) => new Set([...wanted, column]),
  splitsBefore: (wanted, { split }) => new Set([...wanted, split]),
  apply(splits, { column, split }) {
    const known = splits.get(split)
    if (known === undefined) return new Map()
    const distinct = [...new Set(columnOf(known, column))].sort(ascending)
    const codes = new Map(distinct.map((label, code) => [label, code]))
    return eachSplit(splits, (rows) => {
      const values = columnOf(rows, column).map((label, i) => {
        const code = codes.get(label)
        if (code !== undefined) return code
        throw fault('task.label', {
          place: `${rows.place} › row ${i + 1}`,
          what: `a ${column} that ${split} does not have`,
          seen: label,
          wanted: distinct,
        })
      })
      return withColumn(rows, column, values)
    })
  },
}

function ascending(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(pythonText(a), pythonText(b))
}
