/** Numbers that are stored as text. */
import { fault, stripText } from '#core'
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

/** The column; what Python's `float` would refuse is a `task.value` fault. */
export const number: StepKind<string> = {
  before: (wanted) => wanted,
  apply: (splits, name) =>
    eachSplit(splits, (rows) => {
      const values = columnOf(rows, name).map((value, i) => {
        const found = numberOf(value)
        if (!Number.isNaN(found)) return found
        throw fault('task.value', {
          place: `${rows.place} › row ${i + 1}`,
          what: `${name} is not a number`,
          seen: value,
        })
      })
      return withColumn(rows, name, values)
    }),
}

function numberOf(value: unknown): number {
  if (typeof value === 'string') return numberIn(stripText(value))
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : NaN
  return value === null || typeof value === 'object' ? NaN : Number(value)
}

function numberIn(text: string): number {
  return /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i.test(text)
    ? Number(text.replaceAll('_', ''))
    : NaN
}
