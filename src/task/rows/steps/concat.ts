/** A text made of several columns. */
import { fault, stripText } from '#core'
import { isTrue } from './filter.ts'
import { columnOf, eachSplit, pythonText, type StepKind, withColumn } from './step.ts'

export interface Concat {
  readonly columns: readonly string[]
  readonly as: string
  readonly separator: string
  /** Without the blanks at both ends. */
  readonly strip?: boolean
  /**
   * Values that are not texts appear as Python prints them, `None` for a missing one (an f-string); otherwise they are
   * a `task.value` fault.
   */
  readonly print?: boolean
  /** A missing value is an empty text. */
  readonly blank?: boolean
  /** Without values that are missing or empty. */
  readonly filled?: boolean
}

export const concat: StepKind<Concat> = {
  before: (wanted, { columns, as }) => new Set([...[...wanted].filter((name) => name !== as), ...columns]),
  apply: (splits, { columns, as, separator, strip = false, print = false, blank = false, filled = false }) =>
    eachSplit(splits, (rows) => {
      const sources = columns.map((name) => columnOf(rows, name))
      const texts = Array.from({ length: rows.rows }, (_, row) => {
        const joined = sources
          .flatMap((values, i) => {
            const value = values[row] ?? null
            if (filled && !isTrue(value)) return []
            if (typeof value === 'string') return [value]
            if (blank && value === null) return ['']
            if (print) return [value === null ? 'None' : pythonText(value)]
            throw fault('task.value', {
              place: `${rows.place} › row ${row + 1}`,
              what: `${columns[i] ?? ''} is not a text`,
              seen: value,
            })
          })
          .join(separator)
        return strip ? stripText(joined) : joined
      })
      return withColumn(rows, as, texts)
    }),
}
