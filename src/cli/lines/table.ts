/** Plain tables for a terminal: columns aligned, numbers to the right; and rows of a name and its text. */
import { printable } from './printable.ts'

export interface Column {
  readonly title: string
  readonly right?: boolean
}

export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) =>
    columns.map((_, index) => printable(row[index] ?? '')),
  )
  const widths = columns.map((_, index) => cells.reduce((widest, row) => Math.max(widest, row[index]?.length ?? 0), 0))
  const [titles = '', ...lines] = cells.map((row) =>
    columns
      .map(({ right }, index) =>
        right === true
          ? (row[index] ?? '').padStart(widths[index] ?? 0)
          : (row[index] ?? '').padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [titles, widths.map((width) => '─'.repeat(width)).join('  '), ...lines]
}

/** `method      ties`: rows below each other align. */
export function row(name: string, text: string, { width = 10 }: { width?: number } = {}): string {
  return `${name.padEnd(width)}  ${text}`
}

/** Bytes for a person: `812 B`, `4.1 kB`, `12.3 MB`, `3.21 GB`. */
export function byteText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** Bytes of an estimate, rounded up: `13 MB`, `3.2 GB`. */
export function roughBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
