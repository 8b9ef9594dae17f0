/** Rows as JSON lines. */
import { cell, checkNames, type Cell } from './cell.ts'
import type { TableColumn, TableRow, TableWriter } from './writing.ts'
import { createWholeFile } from '#platform/disk'

export async function jsonlWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const file = await createWholeFile(path)
  const write = (text: string): Promise<void> => file.write(Buffer.from(text))
  return {
    async append(rows) {
      let text = ''
      for (const row of rows) {
        text += `${jsonLine(row, columns, path)}\n`
        if (text.length > pieceLength) {
          await write(text)
          text = ''
        }
      }
      if (text !== '') await write(text)
    },
    finish: () => file.commit(),
    abort: () => file.abort(),
  }
}

/** A row as it stands in such a file, without the end of the line. Throws `table.column`; `place` is for messages. */
export function jsonLine(row: TableRow, columns: readonly TableColumn[], place: string): string {
  checkNames(row, columns, place)
  return `{${columns.map((column) => `${JSON.stringify(column.name)}:${jsonOf(cell(row, column, place))}`).join(',')}}`
}

/** Characters gathered before they are written. */
const pieceLength = 4 * 1024 * 1024

function jsonOf(value: Cell): string {
  if (value instanceof Float32Array) return JSON.stringify(Array.from(value, shortNumber))
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value)
}

/**
 * A number of few digits that rounds to this float32. A fixed number of decimals is tried first: it is fast, and does
 * for the values of embeddings; nine digits always do.
 */
function shortNumber(value: number): number {
  for (const scale of [1e8, 1e10, 1e12]) {
    const short = Math.round(value * scale) / scale
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}
