/** SHA-256 of a file's bytes, computed once per process and version of the file. */
import { createHash } from 'node:crypto'
import { createReadStream, type BigIntStats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { asFault, fault } from '#core'

const known = new Map<string, Promise<string>>()

/** Hex SHA-256 of the file at `realPath`. A blob of the hub's cache is named by that very hash, which the download checked: it is not read again. */
export function contentHash(path: string, realPath: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): Promise<string> {
  const name = basename(realPath)
  if (/^[0-9a-f]{64}$/.test(name) && basename(dirname(realPath)) === 'blobs') return Promise.resolve(name)
  const key = [realPath, size, mtimeNs, ctimeNs, ino].join('\0')
  const before = known.get(key)
  if (before) return before
  const hash = hashFile(path, realPath)
  known.set(key, hash)
  hash.catch(() => known.delete(key))
  return hash
}

/** The same by path alone; throws `file.missing`, `file.unreadable`. */
export async function fileHash(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    return await contentHash(path, real, await stat(real, { bigint: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw fault('file.missing', { place: path, what: 'no such file', cause: error })
    throw asFault(error, 'file.unreadable', path)
  }
}

async function hashFile(path: string, realPath: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    // Chunks of 4 MiB: the stream reads the next while this one is hashed.
    for await (const chunk of createReadStream(realPath, { highWaterMark: 4 * 2 ** 20 })) hash.update(chunk as Buffer)
  } catch (error) {
    throw fault('file.unreadable', { place: path, what: 'cannot be read', cause: error })
  }
  return hash.digest('hex')
}
