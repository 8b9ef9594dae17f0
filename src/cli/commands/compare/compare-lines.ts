/** `strata compare` on a terminal: its tables below each other, what they rest on behind each. */
import type { Comparison } from '#experiment/compare'
import { comparisonTables } from '#experiment/compare'
import { tableLines } from '../../lines/table.ts'

export function compareLines(comparison: Comparison): string[] {
  return comparisonTables(comparison)
    .flatMap(({ title, notes, columns, rows }) => [
      title,
      ...tableLines(
        columns.map(({ title: name, number }) => ({ title: name, right: number === true })),
        rows.map((row) => row.map(({ text, best }) => (best === true ? `${text}*` : text))),
      ),
      ...notes,
      '',
    ])
    .slice(0, -1)
}
