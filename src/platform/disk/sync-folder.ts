/** New names on the disk: a rename lasts through a power cut when the folder it happened in was synced. */
import { open } from 'node:fs/promises'

/** Not every system lets a folder be synced, and the files in it are complete without. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
