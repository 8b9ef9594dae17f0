/** SHA-256 of a file's bytes, computed once per version of the file: in this process, and in later ones where they are kept. */
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { asFault, fault } from '#core'
import { keepHash, keptHash, keyOf } from './kept-hashes.ts'
import { readInto } from './read-at.ts'

const known = new Map<string, Promise<string>>()

/**
 * Hex SHA-256 of the file at `realPath`. A blob of the hub's cache is named by that very hash, which the download
 * checked: it is not read again.
 */
export function contentHash(path: string, realPath: string, stats: BigIntStats): Promise<string> {
  if (isNamedByHash(realPath)) return Promise.resolve(basename(realPath))
  const key = keyOf(realPath, stats)
  const before = known.get(key)
  if (before) return before
  const hash = hashOf(path, realPath, stats)
  known.set(key, hash)
  hash.catch(() => known.delete(key))
  return hash
}

/** The same where it need not be computed; undefined otherwise. */
export async function knownHash(realPath: string, stats: BigIntStats): Promise<string | undefined> {
  if (isNamedByHash(realPath)) return basename(realPath)
  return (await known.get(keyOf(realPath, stats))?.catch(() => undefined)) ?? keptHash(realPath, stats)
}

/** Takes note of a hash that was computed elsewhere, of the file that `stats` described before its first byte. */
export async function rememberHash(realPath: string, stats: BigIntStats, hash: string): Promise<void> {
  known.set(keyOf(realPath, stats), Promise.resolve(hash))
  await keepHash(realPath, stats, hash)
}

async function hashOf(path: string, realPath: string, stats: BigIntStats): Promise<string> {
  const kept = await keptHash(realPath, stats)
  if (kept !== undefined) return kept
  const hash = await hashFile(path, realPath)
  await keepHash(realPath, stats, hash)
  return hash
}

/** Whether the file at `realPath` is such a blob. */
function isNamedByHash(realPath: string): boolean {
  return /^[0-9a-f]{64}$/.test(basename(realPath)) && basename(dirname(realPath)) === 'blobs'
}

/** The same by path alone; throws `file.missing`, `file.unreadable`. */
export async function fileHash(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    return await contentHash(path, real, await stat(real, { bigint: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw fault('file.missing', { place: path, what: 'no such file', cause: error })
    throw asFault(error, 'file.unreadable', path)
  }
}

/** Memory that is used again costs no page faults: of one piece the bytes are hashed while the next one is read. */
const pieceBytes = 2 ** 20

async function hashFile(path: string, realPath: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    const file = await open(realPath, 'r')
    try {
      const rooms = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)] as const
      const piece = (turn: number): Promise<number> => readInto(file, rooms[turn % 2 === 0 ? 0 : 1], turn * pieceBytes)
      let next = piece(0)
      for (let turn = 0, size = pieceBytes; size === pieceBytes; turn++) {
        size = await next
        if (size === pieceBytes) next = piece(turn + 1)
        hash.update(rooms[turn % 2 === 0 ? 0 : 1].subarray(0, size))
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fault('file.unreadable', { place: path, what: 'cannot be read', cause: error })
  }
  return hash.digest('hex')
}
