/** Contents of the store's folder, by name, and the ways to change them; files with other names are ignored. */
import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fault } from '#core'
import { createWholeFile, lacksRoom, systemCode, type WholeFile, writeFault } from '#platform/disk'

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

/** A new file, whole, with its folder. Throws `file.write`. */
export async function writeFile(path: string, write: (file: WholeFile) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    let file: WholeFile | undefined
    try {
      file = await createWholeFile(path, { temporary: join(dirname(path), `.${randomBytes(12).toString('hex')}.tmp`) })
      await write(file)
      await file.commit()
      return
    } catch (error) {
      await file?.abort()
      // Another process may have removed the emptied folder between two steps.
      if (isMissing(error) && attempt < 3) continue
      if (systemCode(error) === undefined) throw error
      throw lacksRoom(error) ? writeFault(error, path, noRoom) : writeFault(error, path, notAllowed)
    }
  }
}

const noRoom = {
  what: 'no room for the vector cache',
  hint: 'free some room with `strata cache`, lower the limit of the cache, or name another folder with --cache-dir',
}
const notAllowed = { what: 'cannot write the vector cache', hint: 'name a folder you may write to with --cache-dir' }

export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw fault('file.unreadable', {
      place: folder,
      what: 'cannot list the vector cache',
      seen: systemCode(error),
      cause: error,
    })
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const facts = await fileFacts(path)
  if (facts !== undefined && Date.now() - facts.lastUsed > abandonedAfter) await remove(path)
}
