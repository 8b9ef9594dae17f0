/** Labels to their rank among a split's labels as text (`class_encode_column` of Hugging Face datasets). */
import { compareCodePoints, fault } from '../../core/index.ts'
import type { Rows } from '../dataset.ts'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

/** The column. */
export const encode: StepKind<string> = {
  before: (wanted, name) => new Set([...wanted, name]),
  apply: (splits, name) => eachSplit(splits, (rows) => recoded(rows, name, ranksOf([rows], name))),
}

export function ranksOf(splits: readonly Rows[], name: string): Map<string, number> {
  const texts = new Set(splits.flatMap((rows) => columnOf(rows, name).flatMap((value) => (value === null ? [] : [pythonText(value)]))))
  return new Map([...texts].sort(compareCodePoints).map((text, rank) => [text, rank]))
}

/** Every value of a column by a table of codes; a value without a code is a `task.label` fault. */
export function recoded(rows: Rows, name: string, codes: ReadonlyMap<string, unknown>): Rows {
  const values = columnOf(rows, name).map((value, i) => {
    const code = codes.get(pythonText(value))
    if (code === undefined)
      throw fault('task.label', { place: `${rows.place} › row ${i + 1}`, what: `unknown ${name}`, seen: value, wanted: [...codes.keys()].slice(0, 20) })
    return code
  })
  return withColumn(rows, name, values)
}
