/** What the system said when it would not write, as a fault with something to do about it. */
import { mkdir } from 'node:fs/promises'
import { fault, Fault } from '#core'

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free room and run the same command again, finished tensors are kept',
  EDQUOT: 'the quota is used up: free room and run the same command again, finished tensors are kept',
  EFBIG: 'the file is larger than this file system or account may hold: smaller files by --out-shard-size',
  EROFS: 'the file system is read-only: name a folder elsewhere',
}

/** Any error of a write as `file.write`; a fault stays what it is. */
export function writeFault(cause: unknown, place: string): Fault {
  if (cause instanceof Fault) return cause
  const seen = codeOf(cause)
  const hint = hints[seen ?? ''] ?? 'check that the folder may be written and has room'
  return fault('file.write', { place, what: 'cannot be written', seen, hint, cause })
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}

/** The work's value; whatever it throws is `file.write`. */
export async function orWriteFault<T>(work: Promise<T>, place: string): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw writeFault(cause, place)
  }
}

/** A folder with those above it. Throws `file.write`. */
export async function makeFolder(path: string, place: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    // Of a read-only disk the recursive call says ENOENT; the plain one knows better.
    throw writeFault(await mkdir(path).catch((plain: unknown) => (codeOf(plain) === 'ENOENT' ? cause : plain)), place)
  }
}
