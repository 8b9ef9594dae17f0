/**
 * Reads rows of one slot from a block, and no byte of another slot. Neighbouring rows come in one call; memory is one
 * piece.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { fault } from '#core'
import { readInto, systemCode } from '#platform/disk'
import { blockLayout, bytesOf, rowCheck, rowsOfSize, decodeHeader, type Slot } from './block.ts'
import { isMissing } from './disk.ts'

/** Bytes of one read. */
const pieceBytes = 4 << 20
/** Unwanted bytes between two wanted rows that are cheaper to read than to skip. */
const gapBytes = 16 << 10

/** `gone`: another process has removed it. `damaged`: the bytes differ from those written. */
export type Trouble = 'gone' | 'damaged'

/** A block whose header has been checked. */
export interface Block {
  readonly name: string
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly keys: Uint32Array
}

/** Reads and checks the header of a block file of `bytes` bytes. */
export async function readHeader(
  path: string,
  name: string,
  bytes: number,
  space: string,
  slots: readonly Slot[],
): Promise<Block | Trouble> {
  const rows = rowsOfSize(bytes, slots)
  if (rows === undefined) return 'damaged'
  return withFile(path, async (file) => {
    const header = Buffer.alloc(blockLayout(rows, slots).headerBytes)
    if (!(await readExactly(file, header, 0))) return 'damaged'
    const keys = decodeHeader(header, space, slots, rows)
    return keys === undefined ? 'damaged' : { name, path, rows, bytes, keys }
  })
}

/**
 * Reads `wanted` rows of a slot – ascending, repeats allowed – and hands each to `take` with its place in `wanted`; the
 * view is valid during the call only. Every row is checked first.
 */
export async function readRows(
  block: Block,
  slots: readonly Slot[],
  slot: number,
  wanted: ArrayLike<number>,
  take: (values: Float32Array, index: number) => void,
): Promise<Trouble | undefined> {
  const offsets = blockLayout(block.rows, slots).slots[slot]
  const width = slots[slot]?.width
  if (offsets === undefined || width === undefined)
    throw fault('internal', { place: 'vector cache', what: 'no such slot', seen: slot })
  if (wanted.length === 0) return undefined
  const rowBytes = width * 4
  const first = wanted[0] ?? 0

  return withFile(block.path, async (file) => {
    const checks = new Uint32Array((wanted[wanted.length - 1] ?? 0) - first + 1)
    if (!(await readExactly(file, bytesOf(checks), offsets.checks + first * 4))) return 'damaged'
    for (let start = 0; start < wanted.length;) {
      const end = runEnd(wanted, start, rowBytes)
      const from = wanted[start] ?? 0
      const piece = new Float32Array(((wanted[end - 1] ?? 0) - from + 1) * width)
      const bytes = bytesOf(piece)
      if (!(await readExactly(file, bytes, offsets.values + from * rowBytes))) return 'damaged'
      for (let i = start; i < end; i++) {
        const row = wanted[i] ?? 0
        const at = row - from
        const seen = i > start && wanted[i - 1] === row
        if (
          !seen &&
          rowCheck(bytes.subarray(at * rowBytes, (at + 1) * rowBytes), block.keys, row, slot) !== checks[row - first]
        )
          return 'damaged'
        take(piece.subarray(at * width, (at + 1) * width), i)
      }
      start = end
    }
    return undefined
  })
}

/** End of the run of wanted rows that starts at `start` and is read in one call. */
function runEnd(wanted: ArrayLike<number>, start: number, rowBytes: number): number {
  const from = wanted[start] ?? 0
  let end = start + 1
  while (end < wanted.length) {
    const row = wanted[end] ?? 0
    const gap = (row - (wanted[end - 1] ?? 0) - 1) * rowBytes
    if (gap > gapBytes || (row - from + 1) * rowBytes > pieceBytes) break
    end++
  }
  return end
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T | Trouble>): Promise<T | Trouble> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    return await work(file)
  } catch (error) {
    if (isMissing(error)) return 'gone'
    // What a failing disk answers for a sector it cannot read.
    if (systemCode(error) === 'EIO') return 'damaged'
    if (systemCode(error) === undefined) throw error
    throw fault('file.unreadable', {
      place: path,
      what: 'cannot read the vector cache',
      seen: systemCode(error),
      cause: error,
    })
  } finally {
    await file?.close()
  }
}

/** False when the file ends before the buffer is full. */
async function readExactly(file: FileHandle, bytes: Uint8Array, position: number): Promise<boolean> {
  return (await readInto(file, bytes, position)) === bytes.length
}
