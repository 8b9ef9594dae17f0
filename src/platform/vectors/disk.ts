/** What lies in the folder of the store, by name, and the ways it is changed: whole files appear by rename, everything else is ignored. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault, fault } from '#core'

const names = {
  space: /^[0-9a-f]{64}$/,
  block: /^[0-9a-f]{32}\.block$/,
  temporary: /^\.[0-9a-f]{24}\.tmp$/,
}
export const descriptionName = 'space.json'
export const lockName = 'merge.lock'

/** A temporary file nobody has written to for this long belongs to a process that is gone. */
const abandonedAfter = 60 * 60 * 1000

/** Ids of the spaces below a root; a root that is not there has none. */
export async function spaceIds(root: string): Promise<string[]> {
  return (await list(root)).filter((name) => names.space.test(name)).sort()
}

/** Names of the blocks of a space's folder, in order; abandoned temporary files are removed on the way. */
export async function blockNames(folder: string): Promise<string[]> {
  const entries = await list(folder)
  for (const name of entries) if (names.temporary.test(name)) await removeAbandoned(join(folder, name))
  return entries.filter((name) => names.block.test(name)).sort()
}

interface FileFacts {
  readonly bytes: number
  /** Last use, in milliseconds since 1970: reading a block renews its modification time. */
  readonly lastUsed: number
  /** Changes when another file takes the name or the bytes are rewritten. */
  readonly identity: string
}

/** Undefined when the file is gone. */
export async function fileFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const { size, mtimeMs, ino, ctimeMs } = await stat(path)
    return { bytes: size, lastUsed: mtimeMs, identity: `${ino}:${size}:${ctimeMs}` }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw fault('file.unreadable', { place: path, what: 'cannot look at a file of the vector cache', cause: error })
  }
}

/** Marks a file as used now. A cache that may only be read keeps its dates. */
export async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}

/** True when the file is gone afterwards, whoever removed it. */
export async function remove(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  )
}

/**
 * A new file under its final name, or nothing: written under a temporary name beside it, flushed, renamed, the folder flushed.
 * Creates the folder. Throws `file.write`.
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const folder = dirname(path)
  for (let attempt = 0; ; attempt++) {
    const temporary = join(folder, `.${randomBytes(12).toString('hex')}.tmp`)
    try {
      await mkdir(folder, { recursive: true })
      const file = await open(temporary, 'wx')
      try {
        await write(file)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
      await flushFolder(folder)
      return
    } catch (error) {
      await remove(temporary)
      // Another process may have removed the emptied folder between two steps.
      if (isMissing(error) && attempt < 3) continue
      throw writeFault(error, path)
    }
  }
}

/** Whole bytes at the end of `file`, in pieces the kernel takes. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  const piece = 16 << 20
  for (let at = 0; at < bytes.length; at += piece) {
    const part = bytes.subarray(at, at + piece)
    for (let done = 0; done < part.length;) done += (await file.write(part, done, part.length - done)).bytesWritten
  }
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR'
}

/** The system's word for what went wrong. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && !(error instanceof Fault) && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function writeFault(error: unknown, place: string): Error {
  const code = errorCode(error)
  if (code === undefined) return error instanceof Error ? error : new Error(String(error))
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
  return fault('file.write', {
    place,
    what: full ? 'no room for the vector cache' : 'cannot write the vector cache',
    seen: code,
    hint: full
      ? 'free some room with `strata cache`, lower the limit of the cache, or name another folder with --cache-dir'
      : 'name a folder you may write to with --cache-dir',
    cause: error,
  })
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw fault('file.unreadable', { place: folder, what: 'cannot list the vector cache', seen: errorCode(error), cause: error })
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const facts = await fileFacts(path)
  if (facts !== undefined && Date.now() - facts.lastUsed > abandonedAfter) await remove(path)
}

/** Makes a rename last through a power cut; systems that cannot flush a folder need not. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
