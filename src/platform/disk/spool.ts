/**
 * Bytes that wait on disk: appended, and read again by position. A journal of what they are, kept by whoever knows,
 * makes them worth resuming.
 */
import { constants, open, type FileHandle } from 'node:fs/promises'
import { fault } from '#core'
import { readAt } from './read-at.ts'
import { writeAt } from './write-at.ts'
import { orWriteFault } from './write-fault.ts'

export interface Spool {
  /** Where the appended bytes begin. Throws `file.write`. */
  append(bytes: Uint8Array): Promise<number>
  /** All appended bytes are on disk when it returns. */
  sync(): Promise<void>
  /** Throws `file.unreadable` when bytes are gone. `into`: as in `readAt`. */
  read(position: number, length: number, into?: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

/**
 * Opens the spool at `path` as it was when it held `length` bytes: what came after them is cut off. Throws
 * `file.write`, `file.unreadable` when it holds fewer.
 */
export async function openSpool(path: string, length: number): Promise<Spool> {
  const file = await orWriteFault(open(path, constants.O_RDWR | constants.O_CREAT), path)
  try {
    const { size } = await file.stat()
    if (size < length)
      throw fault('file.unreadable', { place: path, what: 'the file ends too early', seen: size, wanted: length })
    await orWriteFault(file.truncate(length), path)
  } catch (error) {
    await file.close()
    throw error
  }
  return spoolOf(file, path, length)
}

function spoolOf(file: FileHandle, path: string, length: number): Spool {
  let end = length
  return {
    async append(bytes) {
      const position = end
      await writeAt(file, bytes, position, path)
      end += bytes.length
      return position
    },
    sync: () => orWriteFault(file.datasync(), path),
    read: (position, count, into) => readAt(file, position, count, path, into),
    close: () => file.close(),
  }
}
