/** A growing set of row-wise arrays on disk that survives kill -9: finished chunks are never lost, and the same job goes on where it stopped. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fault } from '#core'

/** One array: every row has the same number of bytes. */
export interface SpoolSlot {
  readonly name: string
  readonly rowBytes: number
}

export interface Spool {
  /** Rows that are durable; a resumed job skips as many of its inputs. */
  readonly rows: number
  /** SHA-256 over the inputs of those rows, to see that a resumed job has the same ones. */
  readonly inputs: string
  /** `labels`: one JSON value a row, kept beside the arrays for outputs that name their rows. */
  append(rows: number, values: readonly Uint8Array[], inputs: readonly string[], labels?: readonly unknown[]): Promise<void>
  /** Bytes of one slot, piece by piece, in row order. */
  pieces(slot: string, pieceBytes?: number): AsyncIterable<Uint8Array>
  labels(): AsyncIterable<unknown>
  close(): Promise<void>
  remove(): Promise<void>
}

interface Journal {
  rows: number
  inputs: string
  labelBytes: number
}

/**
 * Opens or resumes the spool in `folder`. A chunk counts once its journal line is on disk, after the data it speaks of.
 * @param job everything that decides the rows' contents; a folder of another job is refused with `usage.conflict`
 */
export async function openSpool(folder: string, job: string, slots: readonly SpoolSlot[]): Promise<Spool> {
  await mkdir(folder, { recursive: true })
  await claim(folder, job)
  const journalPath = join(folder, 'journal.jsonl')
  const state = await lastEntry(journalPath)
  const journal = await open(journalPath, 'a')
  const files: FileHandle[] = []
  for (const [index, { rowBytes }] of slots.entries()) {
    const file = await open(join(folder, `slot-${index}.bin`), 'a+')
    // Bytes beyond the journal belong to a chunk that was cut off.
    await file.truncate(state.rows * rowBytes)
    files.push(file)
  }
  const labelsPath = join(folder, 'labels.jsonl')
  const labelFile = await open(labelsPath, 'a')
  await labelFile.truncate(state.labelBytes)

  return {
    get rows() {
      return state.rows
    },
    get inputs() {
      return state.inputs
    },
    async append(rows, values, inputs, labels = []) {
      for (const [index, file] of files.entries()) {
        const bytes = values[index]
        if (bytes?.length !== rows * (slots[index]?.rowBytes ?? 0))
          throw fault('internal', { place: slots[index]?.name ?? 'spool', what: 'chunk has the wrong size', seen: bytes?.length })
        await file.appendFile(bytes)
        await file.datasync()
      }
      if (labels.length > 0) {
        const lines = Buffer.from(labels.map((label) => `${JSON.stringify(label)}\n`).join(''))
        await labelFile.appendFile(lines)
        await labelFile.datasync()
        state.labelBytes += lines.length
      }
      state.rows += rows
      state.inputs = chainInputs(state.inputs, inputs)
      await journal.appendFile(`${JSON.stringify(state)}\n`)
      await journal.datasync()
    },
    async *pieces(slot, pieceBytes = 8 << 20) {
      const index = slots.findIndex(({ name }) => name === slot)
      const file = files[index]
      const total = state.rows * (slots[index]?.rowBytes ?? 0)
      const piece = Buffer.alloc(Math.min(pieceBytes, Math.max(1, total)))
      for (let at = 0; at < total;) {
        const { bytesRead } = (await file?.read(piece, 0, Math.min(piece.length, total - at), at)) ?? { bytesRead: 0 }
        if (bytesRead === 0) throw fault('file.unreadable', { place: `${folder} › ${slot}`, what: 'ends too early', seen: at, wanted: total })
        yield piece.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    async *labels() {
      for await (const line of createInterface({ input: createReadStream(labelsPath), crlfDelay: Infinity })) yield JSON.parse(line) as unknown
    },
    async close() {
      await Promise.all([journal.close(), labelFile.close(), ...files.map((file) => file.close())])
    },
    async remove() {
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The running hash after some more inputs; a chain, so that it can be carried from chunk to chunk. */
export function chainInputs(before: string, inputs: readonly string[]): string {
  let hash = before
  for (const input of inputs) hash = createHash('sha256').update(hash).update(input).digest('hex')
  return hash
}

async function claim(folder: string, job: string): Promise<void> {
  const path = join(folder, 'job')
  const found = await readFile(path, 'utf8').catch(() => undefined)
  if (found === undefined) await writeFile(path, job)
  else if (found !== job) {
    throw fault('usage.conflict', { place: folder, what: 'holds the unfinished work of another job', hint: 'remove the folder, or choose another --out' })
  }
}

/** The last complete line; a line cut off by a crash is as if it had not been. */
async function lastEntry(path: string): Promise<Journal> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  if (complete.length < text.length) await writeFile(path, complete)
  const line = complete.trimEnd().slice(complete.trimEnd().lastIndexOf('\n') + 1)
  return line === '' ? { rows: 0, inputs: '', labelBytes: 0 } : (JSON.parse(line) as Journal)
}
