/** Journals of finished work: a line that says whose, then one a piece. A kill may cut the last one short. */
import { readFile, truncate } from 'node:fs/promises'
import { orWriteFault } from './write-fault.ts'

export const journalName = 'journal.jsonl'

/**
 * The pieces of the journal at `path` when its first line is `head`, in their order; what a kill cut short is taken off the file, as the next line would run into it.
 * Undefined when there is none, or another's. Throws `file.write`.
 */
export async function readJournalLines<T>(path: string, head: Readonly<Record<string, string>>): Promise<T[] | undefined> {
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
  if (lines[0] !== JSON.stringify(head)) return undefined
  await orWriteFault(truncate(path, Buffer.byteLength(lines.map((line) => `${line}\n`).join(''))), path)
  return pieces.slice(1)
}
