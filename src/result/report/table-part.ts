/** Part of a table: the rows that match some words, in an order, from one on; for tables too long to send whole. */
import type { Cell, Table } from './table.ts'

export interface TableView {
  /** Column to sort by; otherwise rows keep their order. */
  readonly sort?: number | undefined
  readonly order?: 'ascending' | 'descending' | undefined
  /** Only rows that contain each of these words. */
  readonly words?: string | undefined
  readonly from?: number | undefined
  readonly size?: number | undefined
}

export interface TablePart extends TableView {
  readonly from: number
  readonly size: number
  /** Rows that match, and all rows. */
  readonly found: number
  readonly of: number
}

export interface PartOfTable {
  readonly table: Table
  readonly part: TablePart
}

/** The table with those rows, and which they are. Cells without a number come last in either order. */
export function partOfTable({ rows, ...head }: Table, view: TableView): PartOfTable {
  return partOfRows(head, rows, (row) => row, view)
}

/** The same of rows whose cells are made when they are needed: those that are shown, where nothing else orders them. */
export function partOfRows<One>(
  head: Omit<Table, 'rows'>,
  all: readonly One[],
  toCells: (one: One) => readonly Cell[],
  { sort, order = 'ascending', words = '', from = 0, size = 50 }: TableView,
): PartOfTable {
  const column = sort === undefined ? undefined : head.columns[sort]
  const isPlain = column === undefined && words.trim() === ''
  const found = isPlain ? undefined : withWords(all.map(toCells), words)
  const sorted =
    found === undefined || sort === undefined || column === undefined ? found : inOrder(found, sort, { order, column })
  const count = sorted?.length ?? all.length
  // rows may have gone since somebody looked at the last of them
  const start = Math.min(from, Math.max(0, Math.floor((count - 1) / size) * size))
  const rows = sorted?.slice(start, start + size) ?? all.slice(start, start + size).map(toCells)
  return {
    table: { ...head, rows },
    part: { sort, order, words, from: start, size, found: count, of: all.length },
  }
}

function withWords(rows: Rows, text: string): Rows {
  if (text.trim() === '') return rows
  const words = text.toLowerCase().split(/\s+/)
  return rows.filter((row) => {
    const own = row
      .map((cell) => cell.text)
      .join(' ')
      .toLowerCase()
    return words.every((word) => own.includes(word))
  })
}

type Rows = Table['rows']

function inOrder(
  rows: Rows,
  at: number,
  { order, column }: { readonly order: 'ascending' | 'descending'; readonly column: Table['columns'][number] },
): Rows {
  const sign = order === 'ascending' ? 1 : -1
  if (column.number !== true)
    return rows.toSorted((a, b) => sign * collator.compare(a[at]?.text ?? '', b[at]?.text ?? ''))
  const value = (cell: Cell | undefined): number => cell?.value ?? Number.NaN
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a[at]), value(b[at])]
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    return sign * (left - right)
  })
}

const collator = new Intl.Collator('en', { numeric: true })
