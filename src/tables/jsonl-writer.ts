/** Rows as JSON lines. */
import { rm } from 'node:fs/promises'
import { cell, checkNames, type Cell } from './cell.ts'
import type { TableColumn, TableWriter } from './writing.ts'
import { openForWriting, putInPlace, temporaryPath, writeFault } from './whole-file.ts'

export async function jsonlWriter(path: string, columns: readonly TableColumn[]): Promise<TableWriter> {
  const temporary = temporaryPath(path)
  const handle = await openForWriting(temporary)
  const write = async (text: string): Promise<void> => {
    await handle.appendFile(text).catch((error: unknown) => {
      throw writeFault(error, path)
    })
  }
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
    async finish() {
      await handle.close()
      await putInPlace(temporary, path)
    },
    async abort() {
      await handle.close().catch(() => undefined)
      await rm(temporary, { force: true })
    },
  }
}

/** Characters gathered before they are written. */
const pieceLength = 4 * 1024 * 1024

function jsonOf(value: Cell): string {
  if (value instanceof Float32Array) return `[${Array.from(value, shortFloat).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value)
}

/** Shortest of the usual decimals that names this float32: nine digits always do. */
function shortFloat(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  for (const digits of [7, 8]) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(Number(value.toPrecision(9)))
}
