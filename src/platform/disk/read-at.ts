/** All of some bytes at a position of an open file. */
import type { FileHandle } from 'node:fs/promises'
import { fault } from '#core'

/** Exactly `length` bytes, in the beginning of `into` where that holds them: memory that is used again costs no page faults. Throws `file.unreadable` when the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number, place: string, into?: Uint8Array): Promise<Uint8Array> {
  // Not cleared: every byte is read, or a fault thrown. Aligned, as it is no part of node's pool.
  const bytes: Uint8Array = into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, Math.min(length - done, 2 ** 30), position + done)
    if (bytesRead === 0) throw fault('file.unreadable', { place, what: 'the file ends before the tensor does', seen: position + done })
    done += bytesRead
  }
  return bytes
}
