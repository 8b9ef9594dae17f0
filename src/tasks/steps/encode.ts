/** Labels to their rank among a split's labels as text (`class_encode_column` of Hugging Face datasets); missing ones stay missing. */
import { compareCodePoints } from '../../core/index.ts'
import type { Rows } from '../dataset.ts'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

/** The column. */
export const encode: StepKind<string> = {
  before: (wanted, name) => new Set([...wanted, name]),
  apply: (splits, name) => eachSplit(splits, (rows) => encoded(rows, name, [rows])),
}

/** A column as ranks among the texts it has in `splits`, and declared as such. */
export function encoded(rows: Rows, name: string, splits: readonly Rows[]): Rows {
  const texts = new Set(splits.flatMap((own) => columnOf(own, name).flatMap((value) => (value === null ? [] : [pythonText(value)]))))
  const names = [...texts].sort(compareCodePoints)
  const ranks = new Map(names.map((text, rank) => [text, rank]))
  const values = columnOf(rows, name).map((value) => (value === null ? null : ranks.get(pythonText(value))))
  return { ...withColumn(rows, name, values), classLabels: new Map([...rows.classLabels, [name, names]]) }
}
