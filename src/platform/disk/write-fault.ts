/** What the system said when it would not write, as a fault with something to do about it. */
import { mkdir, stat } from 'node:fs/promises'
import { asFault, fault, Fault } from '#core'
import { systemCode } from './system-code.ts'

/** Words of a caller who knows what the file is for. */
export interface WriteWords {
  what?: string | undefined
  hint?: string | undefined
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space and run the same command again; finished work is kept',
  EDQUOT: 'the quota is used up: free some space and run the same command again; finished work is kept',
  EFBIG: 'the file is larger than this file system or account may hold',
  EROFS: 'the file system is read-only: name a folder elsewhere',
}

/**
 * Any error of a write as `file.write`. A fault stays as it is, except that a write fault is reworded where better
 * words are given.
 */
export function writeFault(error: unknown, place: string, { what, hint }: WriteWords = {}): Fault {
  const seen = systemCode(error)
  if (error instanceof Fault && (error.code !== 'file.write' || seen === undefined || (what ?? hint) === undefined))
    return error
  if (seen === undefined) return asFault(error, 'file.write', place)
  const cause: unknown = error instanceof Fault ? error.cause : error
  return fault('file.write', {
    place,
    what: what ?? 'cannot be written',
    seen,
    hint: hint ?? hints[seen] ?? 'check that the folder exists, may be written and has room',
    cause,
  })
}

/** Whether a write failed for want of room: of the disk, the quota, or what a file may hold. */
export function lacksRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCode(error) ?? '')
}

/** The work's value; whatever it throws is `file.write`. */
export async function orWriteFault<T>(work: Promise<T>, place: string, words?: WriteWords): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw writeFault(error, place, words)
  }
}

/** A folder with those above it. Throws `file.write`. */
export async function makeFolder(path: string, place: string = path): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (recursive) {
    try {
      await mkdir(path)
    } catch (plain) {
      // Another process may remove the folder and make it between any two steps.
      if (systemCode(plain) === 'EEXIST' && (await isFolder(path))) return
      // On a read-only disk the recursive call says ENOENT; the plain one knows better.
      throw writeFault(systemCode(plain) === 'ENOENT' ? recursive : plain, place)
    }
  }
}

/** Whether the path is a folder, or was one until a moment ago. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    (error: unknown) => systemCode(error) === 'ENOENT',
  )
}
