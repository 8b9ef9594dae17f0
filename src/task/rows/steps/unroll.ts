/**
 * Rows that hold a list → one row per item, the other columns repeated in each; a row whose list is empty or missing is
 * dropped.
 */
import { fault } from '#core'
import { columnOf, eachSplit, pickRows, type StepKind, withColumn } from './step.ts'

export interface Unroll {
  readonly column: string
  /** Column of the items; default the same. */
  readonly as?: string
  /** Column of an item's place in its list, from 1. */
  readonly place?: string
}

export const unroll: StepKind<Unroll> = {
  before: (wanted, { column, as = column, place }) =>
    new Set([...[...wanted].filter((name) => name !== as && name !== place), column]),
  apply: (splits, { column, as = column, place }) =>
    eachSplit(splits, (rows) => {
      const sources: number[] = []
      const items: unknown[] = []
      const places: number[] = []
      columnOf(rows, column).forEach((list, i) => {
        if (list === null || list === undefined) return
        if (!Array.isArray(list))
          throw fault('task.value', {
            place: `${rows.place} › row ${i + 1}`,
            what: `${column} is not a list`,
            seen: list,
          })
        list.forEach((item: unknown, at) => {
          sources.push(i)
          items.push(item)
          places.push(at + 1)
        })
      })
      const long = withColumn(pickRows(rows, sources), as, items)
      return place === undefined ? long : withColumn(long, place, places)
    }),
}
