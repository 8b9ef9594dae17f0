/** Plain tables for a terminal: columns aligned, numbers to the right. */

export interface Column {
  readonly title: string
  readonly right?: boolean
}

export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ right }, index) => (right === true ? (cells[index] ?? '').padStart(widths[index] ?? 0) : (cells[index] ?? '').padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)]
}
