/** All of some bytes at a position of an open file. */
import type { FileHandle } from 'node:fs/promises'
import { writeFault } from './write-fault.ts'

/** Throws `file.write`. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number, place: string): Promise<void> {
  try {
    let done = 0
    // One system call moves at most 2 GiB.
    while (done < bytes.length) done += (await file.write(bytes, done, Math.min(bytes.length - done, 2 ** 30), position + done)).bytesWritten
  } catch (cause) {
    throw writeFault(cause, place)
  }
}
