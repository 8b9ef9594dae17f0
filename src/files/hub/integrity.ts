/**
 * Whether bytes match their etag. The file on disk is read again rather than hashed as it arrives: only that proves the
 * stored bytes.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Name of the check that an etag allows; the hub gives SHA-256 for LFS and Xet files, git's blob hash for the rest. */
export function etagKind(etag: string): 'sha256' | 'git-sha1' | undefined {
  if (/^[0-9a-f]{64}$/.test(etag)) return 'sha256'
  return /^[0-9a-f]{40}$/.test(etag) ? 'git-sha1' : undefined
}

/**
 * Hash of the whole file in the etag's own kind, in hex; undefined if the etag is no hash. Git hashes `blob <size>\0`
 * and the bytes.
 */
export async function contentHash(handle: FileHandle, etag: string): Promise<string | undefined> {
  const kind = etagKind(etag)
  if (kind === undefined) return undefined
  const hash = createHash(kind === 'sha256' ? 'sha256' : 'sha1')
  if (kind === 'git-sha1') hash.update(`blob ${(await handle.stat()).size}\0`)
  const block = Buffer.allocUnsafe(2 ** 20)
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(block, 0, block.byteLength, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(block.subarray(0, bytesRead))
    position += bytesRead
  }
}
