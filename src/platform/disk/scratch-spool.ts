/**
 * A spool of one process, read and written on the spot: nobody resumes it, so its file has no name while it is open,
 * where the system allows that, and a killed process leaves nothing.
 */
import { closeSync, mkdirSync, openSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { readAtSync } from './read-at.ts'
import { temporaryPath } from './whole-file.ts'
import { writeAtSync } from './write-at.ts'
import { writeFault } from './write-fault.ts'

export interface ScratchSpool {
  /** Where it lies, for messages. */
  readonly path: string
  /** Throws `file.write`. */
  append(bytes: Uint8Array): void
  read(position: number, length: number): Uint8Array
  /** Frees the disk. */
  close(): void
}

/** `name`: a path that its file's name begins with. Throws `file.write`. */
export function openScratchSpool(name: string): ScratchSpool {
  const path = temporaryPath(name)
  const file = made(path)
  const unnamed = remove(path)
  let end = 0
  return {
    path,
    append(bytes) {
      writeAtSync(file, bytes, end, path)
      end += bytes.length
    },
    read: (position, length) => readAtSync(file, position, length, path),
    close() {
      closeSync(file)
      if (!unnamed) remove(path)
    },
  }
}

function made(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true })
    return openSync(path, 'wx+', 0o600)
  } catch (error) {
    throw writeFault(error, path)
  }
}

/** False where an open file cannot lose its name. */
function remove(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}
