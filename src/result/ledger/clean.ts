/** Temporary files that killed runs left. Readers ignore them; old ones are removed. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryEnding } from '#platform/disk'

/** One day: no write takes that long. */
const secondsKept = 24 * 60 * 60
/** `<model>/<revision>/experiments/<representation>/items` */
const depth = 5

/**
 * Removes temporary files older than a day below `root`; returns their paths. Files that cannot be read or removed are
 * left.
 */
export async function cleanTemporary(root: string): Promise<string[]> {
  return clean(root, depth)
}

async function clean(folder: string, levels: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const removed: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && levels > 0) removed.push(...(await clean(path, levels - 1)))
    else if (entry.isFile() && entry.name.endsWith(temporaryEnding) && (await isOld(path)) && (await remove(path)))
      removed.push(path)
  }
  return removed
}

const cleaned = new Set<string>()

/** Cleans a root the first time this process writes there. */
export async function cleanOnce(root: string): Promise<void> {
  if (cleaned.has(root)) return
  cleaned.add(root)
  await cleanTemporary(root)
}

async function isOld(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && Date.now() - facts.mtimeMs > secondsKept * 1000
}

async function remove(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  )
}
