/** Keeps the store under its limit: blocks leave in the order of their last use, whatever space they belong to. */
import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blockNames, descriptionName, fileFacts, remove, spaceIds } from './disk.ts'

export interface Trimmed {
  /** Bytes removed, and bytes left. */
  readonly freed: number
  readonly bytes: number
}

/**
 * Removes least recently used blocks until at most `limit` bytes are left. Blocks that `needed` holds are kept even
 * above the limit.
 * Several processes may do this at once: they choose in the same order, and a block that another one has removed counts
 * as removed.
 */
export async function evict(
  root: string,
  limit: number,
  needed: (space: string, block: string) => boolean,
): Promise<Trimmed> {
  const files: { space: string; name: string; path: string; bytes: number; lastUsed: number }[] = []
  for (const space of await spaceIds(root)) {
    for (const name of await blockNames(join(root, space))) {
      const path = join(root, space, name)
      const facts = await fileFacts(path)
      if (facts) files.push({ space, name, path, bytes: facts.bytes, lastUsed: facts.lastUsed })
    }
  }
  files.sort((a, b) => a.lastUsed - b.lastUsed || (a.name < b.name ? -1 : 1))
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  let freed = 0
  for (const file of files) {
    if (bytes <= limit) break
    if (needed(file.space, file.name) || !(await remove(file.path))) continue
    bytes -= file.bytes
    freed += file.bytes
  }
  for (const space of new Set(files.map((file) => file.space))) await removeEmptySpace(join(root, space))
  return { freed, bytes }
}

/** Removes a space's folder when nothing but its description is left in it. */
export async function removeEmptySpace(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => undefined)
  if (entries === undefined || entries.some((name) => name !== descriptionName)) return
  await remove(join(folder, descriptionName))
  await rmdir(folder).catch(() => undefined)
}
