/** Bytes at a position of an open file, asynchronously and on the spot. */
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { fault } from '#core'

/** One system call moves at most 2 GiB. */
export const largestCall = 2 ** 30

/** Fills `into` from `position` on; returns how many bytes there were before the end of the file. */
export async function readInto(file: FileHandle, into: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, Math.min(into.length - done, largestCall), position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/**
 * Exactly `length` bytes, in the beginning of `into` where that holds them: memory that is used again costs no page
 * faults. Throws `file.unreadable` when the file ends before.
 */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
  place: string,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const bytes = room(length, into)
  return whole(bytes, await readInto(file, bytes, position), position, place)
}

/** The same on the spot. */
export function readAtSync(
  file: number,
  position: number,
  length: number,
  place: string,
  into?: Uint8Array,
): Uint8Array {
  const bytes = room(length, into)
  let done = 0
  while (done < length) {
    const count = readSync(file, bytes, done, Math.min(length - done, largestCall), position + done)
    if (count === 0) break
    done += count
  }
  return whole(bytes, done, position, place)
}

/** Not cleared: every byte is read, or a fault thrown. Aligned, as it is no part of node's pool. */
function room(length: number, into: Uint8Array | undefined): Uint8Array {
  return into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length)
}

function whole(bytes: Uint8Array, done: number, position: number, place: string): Uint8Array {
  if (done === bytes.length) return bytes
  throw fault('file.unreadable', {
    place,
    what: 'the file ends too early',
    seen: position + done,
    wanted: position + bytes.length,
  })
}
