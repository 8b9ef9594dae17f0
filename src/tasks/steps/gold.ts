/** Pairs of rows that belong together, counted from 1 in the lists of one row: only the first sentences that are in a pair stay, and the count starts at 0. */
import { fault } from '../../core/index.ts'
import { listsOf } from './explode.ts'
import { eachSplit, type StepKind } from './step.ts'

export interface Gold {
  /** Column of lists of pairs. */
  readonly pairs: string
  /** Column of lists that the firsts of the pairs pick from. */
  readonly picked: string
}

export const gold: StepKind<Gold> = {
  before: (wanted, { pairs, picked }) => new Set([...wanted, pairs, picked]),
  apply: (splits, { pairs: name, picked }) =>
    eachSplit(splits, (rows) => {
      const pairs = listsOf(rows, name).map((list, row) => list.map((pair) => pairFromOne(pair, `${rows.place} › row ${row + 1}`)))
      const texts = listsOf(rows, picked).map((list, row) => pairs[row]?.map(([first]) => itemAt(list, first, rows.place)))
      return { ...rows, columns: { ...rows.columns, [name]: pairs, [picked]: texts } }
    }),
}

function pairFromOne(pair: unknown, place: string): [number, number] {
  const [first, second, ...more] = Array.isArray(pair) ? pair.map(Number) : []
  if (Number.isInteger(first) && Number.isInteger(second) && more.length === 0) return [Number(first) - 1, Number(second) - 1]
  throw fault('task.value', { place, what: 'not a pair of row numbers', seen: pair })
}

function itemAt(list: readonly unknown[], index: number, place: string): unknown {
  const value = list.at(index)
  if (value === undefined) throw fault('task.value', { place, what: 'a pair names a row that is not there', seen: index + 1, wanted: `1 … ${list.length}` })
  return value
}
