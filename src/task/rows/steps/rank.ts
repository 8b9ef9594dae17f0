/** Texts numbered from 0 as they first occur, row by row, over several columns together. */
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface Rank {
  /** Column of texts → column of their numbers. A missing text has no number. */
  readonly columns: Readonly<Record<string, string>>
  /** Over all splits of the data set, in their order; default: anew in every split. */
  readonly across?: boolean
}

export const rank: StepKind<Rank> = {
  before: (wanted, { columns }) =>
    new Set([...[...wanted].filter((name) => !Object.values(columns).includes(name)), ...Object.keys(columns)]),
  splitsBefore: (wanted, { across = false }, all) => (across ? new Set([...all, ...wanted]) : wanted),
  apply(splits, { columns, across = false }) {
    let known = new Map<unknown, number>()
    return eachSplit(splits, (rows) => {
      if (!across) known = new Map()
      const texts = Object.keys(columns).map((name) => columnOf(rows, name))
      const numbers = texts.map((): (number | null)[] => [])
      for (let row = 0; row < rows.rows; row++) {
        texts.forEach((values, column) => {
          const text = values[row] ?? null
          if (text !== null && !known.has(text)) known.set(text, known.size)
          numbers[column]?.push(known.get(text) ?? null)
        })
      }
      return Object.values(columns).reduce((wide, name, column) => withColumn(wide, name, numbers[column] ?? []), rows)
    })
  },
}
