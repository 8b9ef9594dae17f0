/** All of some bytes at a position of an open file, asynchronously and on the spot. */
import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { largestCall } from './read-at.ts'
import { writeFault } from './write-fault.ts'

/** Throws `file.write`. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number, place: string): Promise<void> {
  try {
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, Math.min(bytes.length - done, largestCall), position + done)).bytesWritten
  } catch (error) {
    throw writeFault(error, place)
  }
}

/** The same on the spot. */
export function writeAtSync(file: number, bytes: Uint8Array, position: number, place: string): void {
  try {
    for (let done = 0; done < bytes.length;)
      done += writeSync(file, bytes, done, Math.min(bytes.length - done, largestCall), position + done)
  } catch (error) {
    throw writeFault(error, place)
  }
}
