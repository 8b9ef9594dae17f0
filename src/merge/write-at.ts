/** All of some bytes at a position of an open file. */
import type { FileHandle } from 'node:fs/promises'
import { fault } from '../core/index.ts'

/** Throws `file.write`. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number, place: string): Promise<void> {
  try {
    let done = 0
    // One system call moves at most 2 GiB.
    while (done < bytes.length) done += (await file.write(bytes, done, Math.min(bytes.length - done, 2 ** 30), position + done)).bytesWritten
  } catch (cause) {
    const seen = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
    throw fault('file.write', {
      place,
      what: 'cannot be written',
      seen,
      hint:
        seen === 'ENOSPC' ? 'the disk is full: free room and run the same command again, finished tensors are kept' : 'check that the folder may be written',
      cause,
    })
  }
}
