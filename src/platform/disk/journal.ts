/**
 * Journals of finished work: a line of JSON a piece, mostly after one that says whose. A kill may cut the last one
 * short.
 */
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { orWriteFault } from './write-fault.ts'

export const journalName = 'journal.jsonl'

/** The first line of a journal. */
export type JournalHead = Readonly<Record<string, string>>

/**
 * The pieces of the journal at `path`, in their order, when its first line is `head` – or from the first line on
 * without one. What a kill cut short is taken off the
 * file, as the next line would run into it. Undefined when there is none, or another's. Throws `file.write`.
 */
export async function readJournal<T>(path: string, head?: JournalHead): Promise<T[] | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines: string[] = []
  const pieces: T[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      pieces.push(JSON.parse(line) as T)
    } catch {
      break
    }
    lines.push(line)
  }
  if (head !== undefined && lines[0] !== JSON.stringify(head)) return undefined
  await orWriteFault(truncate(path, Buffer.byteLength(lines.map((line) => `${line}\n`).join(''))), path)
  return head === undefined ? pieces : pieces.slice(1)
}

/** Begins a journal anew. Throws `file.write`. */
export async function startJournal(path: string, head: JournalHead): Promise<void> {
  await orWriteFault(writeFile(path, lineOf(head)), path)
}

/**
 * Throws `file.write`. `sync`: on the disk when it returns; `lines`: the piece is a list of pieces, written at once.
 */
export async function addToJournal(
  path: string,
  piece: unknown,
  { sync = false, lines = false }: { sync?: boolean; lines?: boolean } = {},
): Promise<void> {
  const file = await orWriteFault(open(path, 'a'), path)
  try {
    await orWriteFault(
      file.appendFile(lines && Array.isArray(piece) ? piece.map(lineOf).join('') : lineOf(piece)),
      path,
    )
    if (sync) await orWriteFault(file.datasync(), path)
  } finally {
    await file.close()
  }
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
