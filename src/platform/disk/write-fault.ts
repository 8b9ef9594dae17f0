/** What the system said when it would not write, as a fault with something to do about it. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
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

/**
 * A folder with those above it. Throws `file.write`.
 *
 * Step by step: Node's recursive call never returns where a folder lies in one that takes none, as `/proc/x` does, and
 * fails where another process removes the folder meanwhile.
 */
export async function makeFolder(path: string, place: string = path): Promise<void> {
  const refusal = await makeOne(path)
  if (refusal === undefined) return
  const parent = dirname(path)
  if (systemCode(refusal) !== 'ENOENT' || parent === path) throw writeFault(refusal, place)
  await makeFolder(parent, place)
  const again = await makeOne(path)
  if (again !== undefined) throw writeFault(again, place)
}

/** What the system says against it; undefined where the folder is there. */
async function makeOne(path: string): Promise<unknown> {
  try {
    await mkdir(path)
    return undefined
  } catch (error) {
    const isThere = await stat(path).then(
      (facts) => facts.isDirectory(),
      // removed a moment ago by whoever made it
      (missing: unknown) => systemCode(error) === 'EEXIST' && systemCode(missing) === 'ENOENT',
    )
    return isThere ? undefined : error
  }
}
