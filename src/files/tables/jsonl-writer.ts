/** Rows as JSON lines. */
import { cell, checkNames, type Cell } from './cell.ts'
import type { TableColumn, TableWriter } from './writing.ts'
import { createWholeFile } from '#platform/disk'

export async function jsonlWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const file = await createWholeFile(path)
  const write = (text: string): Promise<void> => file.write(Buffer.from(text))
  return {
    async append(rows) {
      let text = ''
      for (const row of rows) {
        checkNames(row, columns, path)
        text += `{${columns.map((column) => `${JSON.stringify(column.name)}:${jsonOf(cell(row, column, path))}`).join(',')}}\n`
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

/** Characters gathered before they are written. */
const pieceLength = 4 * 1024 * 1024

function jsonOf(value: Cell): string {
  if (value instanceof Float32Array) return JSON.stringify(Array.from(value, shortNumber))
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value)
}

/** A number of few digits that rounds to this float32. A fixed number of decimals is tried first: it is fast, and does for the values of embeddings; nine digits always do. */
function shortNumber(value: number): number {
  for (const scale of [1e8, 1e10, 1e12]) {
    const short = Math.round(value * scale) / scale
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}
