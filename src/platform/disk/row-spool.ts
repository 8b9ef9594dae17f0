/**
 * A growing set of row-wise arrays on disk that survives kill -9: finished chunks are never lost, and the same job
 * continues where it stopped.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fault } from '#core'
import { journalName, openJournal } from './journal.ts'
import { openSpool, type Spool } from './spool.ts'
import { makeFolder, orWriteFault } from './write-fault.ts'

/** One array: every row has the same number of bytes. */
export interface RowSlot {
  readonly name: string
  readonly rowBytes: number
}

export interface RowSpool {
  /** Rows that are durable; a resumed job skips as many of its inputs. */
  readonly rows: number
  /** SHA-256 over the inputs of those rows, to see that a resumed job has the same ones. */
  readonly inputs: string
  /** `labels`: one JSON value per row, stored next to the arrays for outputs that name their rows. */
  append(
    rows: number,
    values: readonly Uint8Array[],
    inputs: readonly string[],
    labels?: readonly unknown[],
  ): Promise<void>
  /** Bytes of one slot, piece by piece, in row order. */
  pieces(slot: string, pieceBytes?: number): AsyncIterable<Uint8Array>
  labels(): AsyncIterable<unknown>
  close(): Promise<void>
  remove(): Promise<void>
}

/** State on disk after a chunk. */
interface Finished {
  readonly rows: number
  readonly inputs: string
  readonly labelBytes: number
}

const journalKind = {
  name: 'rows',
  isPiece: (value: unknown): value is Finished =>
    typeof value === 'object' && value !== null && 'rows' in value && 'inputs' in value && 'labelBytes' in value,
}

/**
 * Opens or resumes the spool in `folder`. A chunk counts once its journal line is on disk, after the data it speaks of.
 * @param job everything that decides the rows' contents; a folder of another job is refused with `usage.conflict`
 */
export async function openRowSpool(folder: string, job: string, slots: readonly RowSlot[]): Promise<RowSpool> {
  await makeFolder(folder)
  await claim(folder, job)
  const journal = await openJournal(join(folder, journalName), journalKind, {
    busy: 'another process is at this work',
    hint: 'wait for it, or choose another --out',
  })
  let state: Finished = journal.pieces.at(-1) ?? { rows: 0, inputs: '', labelBytes: 0 }
  // Bytes beyond the journal belong to a chunk that was cut off.
  const files: Spool[] = []
  const labelsPath = join(folder, 'labels.jsonl')
  const openFiles = async (): Promise<Spool> => {
    for (const [index, { rowBytes }] of slots.entries())
      files.push(await openSpool(join(folder, `slot-${index}.bin`), state.rows * rowBytes))
    return openSpool(labelsPath, state.labelBytes)
  }
  const labelFile = await openFiles().catch(async (error: unknown) => {
    await journal.close()
    throw error
  })

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
          throw fault('internal', {
            place: slots[index]?.name ?? 'spool',
            what: 'chunk has the wrong size',
            seen: bytes?.length,
          })
        await file.append(bytes)
        await file.sync()
      }
      const lines = Buffer.from(labels.map((label) => `${JSON.stringify(label)}\n`).join(''))
      if (lines.length > 0) {
        await labelFile.append(lines)
        await labelFile.sync()
      }
      state = {
        rows: state.rows + rows,
        inputs: chainInputs(state.inputs, inputs),
        labelBytes: state.labelBytes + lines.length,
      }
      await journal.add([state], { sync: true })
    },
    async *pieces(slot, pieceBytes = 8 << 20) {
      const index = slots.findIndex(({ name }) => name === slot)
      const file = files[index]
      if (file === undefined) throw fault('internal', { place: folder, what: 'no such slot', seen: slot })
      const total = state.rows * (slots[index]?.rowBytes ?? 0)
      const piece = Buffer.alloc(Math.min(pieceBytes, total))
      for (let at = 0; at < total; at += piece.length) yield file.read(at, Math.min(piece.length, total - at), piece)
    },
    async *labels() {
      for await (const line of createInterface({ input: createReadStream(labelsPath), crlfDelay: Infinity }))
        yield JSON.parse(line) as unknown
    },
    async close() {
      await Promise.all([labelFile, ...files].map((file) => file.close()))
      await journal.close()
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
  if (found === undefined) await orWriteFault(writeFile(path, job), path)
  else if (found !== job) {
    throw fault('usage.conflict', {
      place: folder,
      what: 'holds the unfinished work of another job',
      hint: 'remove the folder, or choose another --out',
    })
  }
}
