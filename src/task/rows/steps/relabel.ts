/** Labels by a table. */
import { fault } from '#core'
import { rowPlace } from '../dataset.ts'
import { columnOf, onlySplits, pythonText, type StepKind, withColumn } from './step.ts'

export interface Relabel {
  /** Default `label`. */
  readonly column?: string
  /** Where the new label goes; default: to its own column. */
  readonly as?: string
  /** Text of the old label → new label. */
  readonly codes: Readonly<Record<string, number | string>>
  /** Numbers stay, without their fraction; the table is for texts. */
  readonly numbers?: 'kept'
  /** The label of every other value, missing ones among them; otherwise such a value is a `task.label` fault. */
  readonly otherwise?: number | string
  /** Default: all. */
  readonly splits?: readonly string[]
}

export const relabel: StepKind<Relabel> = {
  before: (wanted, { column = 'label', as = column }) =>
    new Set([...[...wanted].filter((name) => name !== as), column]),
  apply: (all, { column = 'label', as = column, codes, numbers, otherwise, splits }) =>
    onlySplits(all, splits, (rows) => {
      const table = new Map(Object.entries(codes))
      const values = columnOf(rows, column).map((value, i) => {
        if (numbers === 'kept' && (typeof value === 'number' || typeof value === 'bigint'))
          return Math.trunc(Number(value))
        const code = (value === null ? undefined : table.get(pythonText(value))) ?? otherwise
        if (code !== undefined) return code
        const place = rowPlace(rows, i)
        throw fault('task.label', {
          place,
          what: `unknown ${column}`,
          seen: value,
          wanted: [...table.keys()].slice(0, 20),
        })
      })
      return withColumn(rows, as, values)
    }),
}
