/** Shares of classes, written as a list of numbers → the class with the greatest share, the first of equal ones. */
import { fault, stripText } from '#core'
import { columnOf, onlySplits, pickRows, type StepKind, withColumn } from './step.ts'

export interface SoftLabel {
  readonly column: string
  readonly as: string
  /** Rows whose list has another length are left out. */
  readonly classes: number
  /** Default: all. */
  readonly splits?: readonly string[]
}

export const softLabel: StepKind<SoftLabel> = {
  before: (wanted, { column, as }) => new Set([...[...wanted].filter((name) => name !== as), column]),
  apply: (all, { column, as, classes, splits }) =>
    onlySplits(all, splits, (rows) => {
      const shares = columnOf(rows, column).map((value, i) => {
        const written = typeof value === 'string' ? numberList(value) : undefined
        const list = Array.isArray(value) ? (value as unknown[]) : written
        if (list !== undefined && list.every((share) => typeof share === 'number')) return list
        throw fault('task.label', {
          place: `${rows.place} › row ${i + 1}`,
          what: `${column} is not a list of numbers`,
          seen: value,
        })
      })
      const labels = shares.map((list) => list.indexOf(Math.max(...list)))
      const fitting = shares.flatMap((list, i) => (list.length === classes ? [i] : []))
      return pickRows(withColumn(rows, as, labels), fitting)
    }),
}

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`
const list = new RegExp(String.raw`^[[(]\s*(?:${number}\s*(?:,\s*${number}\s*)*,?\s*)?[\])]$`)

/** A list of numbers as Python writes it (`[0.5, .5, 1.]`); undefined when the text is none. */
function numberList(text: string): number[] | undefined {
  const trimmed = stripText(text)
  return list.test(trimmed) ? (trimmed.match(new RegExp(number, 'g')) ?? []).map(Number) : undefined
}
