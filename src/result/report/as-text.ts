/** A table on a terminal: aligned columns, numbers to the right, the best marked with a star. */
import { printable } from '#core'
import type { Cell, Table } from './table.ts'

/** A plain text stands for a cell that has only text. */
export interface TextTable {
  readonly columns: Table['columns']
  readonly rows: readonly (readonly (Cell | string)[])[]
}

/** A line of titles, a line under them, one line per row. */
export function asText({ columns, rows }: TextTable): string[] {
  const texts = [columns.map(({ title }) => title), ...rows.map((row) => row.map(textOf))]
  const cells = texts.map((row) => columns.map((_, at) => printable(row[at] ?? '')))
  const widths = columns.map((_, at) => cells.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), 0))
  const [titles = '', ...lines] = cells.map((row) =>
    row
      .map((text, at) => (columns[at]?.number === true ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [titles, widths.map((width) => '─'.repeat(width)).join('  '), ...lines]
}

/** Tables with their titles and notes, separated by blank lines. */
export function asTextPage(tables: readonly Table[]): string[] {
  return tables.flatMap((table, at) => [...(at === 0 ? [] : ['']), table.title, ...asText(table), ...table.notes])
}

function textOf(cell: Cell | string): string {
  if (typeof cell === 'string') return cell
  return cell.best === true ? `${cell.text}*` : cell.text
}
