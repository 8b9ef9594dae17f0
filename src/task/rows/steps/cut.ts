/** A text in two at its first separator; without one all of it is in front and nothing behind. */
import { fault } from '#core'
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface Cut {
  readonly column: string
  readonly separator: string
  /** Columns for the parts before and after it. */
  readonly as: readonly [string, string]
}

export const cut: StepKind<Cut> = {
  before: (wanted, { column, as }) => new Set([...[...wanted].filter((name) => !as.includes(name)), column]),
  apply: (splits, { column, separator, as: [front, back] }) =>
    eachSplit(splits, (rows) => {
      const halves = columnOf(rows, column).map((text, i) => {
        if (typeof text !== 'string')
          throw fault('task.value', {
            place: `${rows.place} › row ${i + 1}`,
            what: `${column} is not a text`,
            seen: text,
          })
        const at = text.indexOf(separator)
        return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
      })
      return withColumn(
        withColumn(
          rows,
          front,
          halves.map(([before]) => before),
        ),
        back,
        halves.map(([, behind]) => behind),
      )
    }),
}
