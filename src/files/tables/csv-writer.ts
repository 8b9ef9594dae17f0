/** Rows as csv, the names of the columns first. */
import { createWholeFile } from '#platform/disk'
import { cell, checkNames } from './cell.ts'
import { csvLine } from './csv-line.ts'
import type { TableColumn, TableWriter } from './writing.ts'

export async function csvWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const file = await createWholeFile(path)
  await file.write(Buffer.from(csvLine(columns.map(({ name }) => name))))
  return {
    async append(rows) {
      const lines = rows.map((row) => {
        checkNames(row, columns, path)
        const cells = columns.map((column) => cell(row, column, path))
        return csvLine(
          cells.map((value) => (value instanceof Float32Array ? JSON.stringify(Array.from(value)) : value)),
        )
      })
      await file.write(Buffer.from(lines.join('')))
    },
    finish: () => file.commit(),
    abort: () => file.abort(),
  }
}
