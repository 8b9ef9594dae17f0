/** A value that rows with the same text share: the one of the first or of the last of them. */
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface Shared {
  /** Column of the text. */
  readonly by: string
  /** Column of the value. */
  readonly of: string
  readonly from: 'first' | 'last'
  readonly as: string
}

export const shared: StepKind<Shared> = {
  before: (wanted, { by, of, as }) => new Set([...[...wanted].filter((name) => name !== as), by, of]),
  apply: (splits, { by, of, from, as }) =>
    eachSplit(splits, (rows) => {
      const texts = columnOf(rows, by)
      const values = new Map<unknown, unknown>()
      columnOf(rows, of).forEach((value, i) => {
        if (from === 'last' || !values.has(texts[i])) values.set(texts[i], value)
      })
      return withColumn(
        rows,
        as,
        texts.map((text) => values.get(text)),
      )
    }),
}
