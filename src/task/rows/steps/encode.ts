/**
 * Labels to their rank among a split's labels as text (`class_encode_column` of Hugging Face datasets); missing ones
 * stay missing.
 */
import { compareCodePoints } from '#core'
import type { Rows } from '../dataset.ts'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

/** The column. */
export const encode: StepKind<string> = {
  before: (wanted, name) => new Set([...wanted, name]),
  apply: (splits, name) => eachSplit(splits, (rows) => encoded(rows, name, namesOf([rows], name))),
}

/**
 * The texts of a column over several splits, sorted: as class labels they are numbered so. Separated values that are
 * empty are missing.
 */
export function namesOf(splits: readonly Rows[], name: string): string[] {
  const texts = new Set<string>()
  for (const rows of splits)
    for (const value of columnOf(rows, name)) if (isThere(value, rows)) texts.add(pythonText(value))
  return [...texts].sort(compareCodePoints)
}

/** A column as positions among `names`, and declared as such. */
export function encoded(rows: Rows, name: string, names: readonly string[]): Rows {
  const ranks = new Map(names.map((text, rank) => [text, rank]))
  const values = columnOf(rows, name).map((value) => (isThere(value, rows) ? ranks.get(pythonText(value)) : null))
  return { ...withColumn(rows, name, values), classLabels: new Map([...rows.classLabels, [name, names]]) }
}

function isThere(value: unknown, { untyped }: Rows): boolean {
  return value !== null && !(untyped && value === '')
}
