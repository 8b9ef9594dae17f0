/** A revision out of the cache again, as `hf cache rm` takes it out. */
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { listFolder } from './folder.ts'
import { blobPath, isFolder, type Repo, repoOf, snapshotFolder } from './layout.ts'
import type { RepoType } from './names.ts'
import { type HubSettings, hubSettings } from './settings.ts'

export interface CachedRevisionOptions {
  readonly type?: RepoType | undefined
  readonly settings?: HubSettings | undefined
}

/** Whether anything of the commit lies in the cache. */
export async function revisionCached(
  name: string,
  commit: string,
  { type = 'model', settings = hubSettings() }: CachedRevisionOptions = {},
): Promise<boolean> {
  return isFolder(snapshotFolder(repoOf(settings, type, name), commit))
}

/**
 * Removes a commit: its snapshot, the blobs that no other snapshot of the repository links to, and the refs that name
 * it. Blobs go first and links after them, so that a removal which was killed is found again and finished. Nothing to
 * remove is fine. Throws `file.write`.
 */
export async function removeRevision(
  name: string,
  commit: string,
  { type = 'model', settings = hubSettings() }: CachedRevisionOptions = {},
): Promise<void> {
  const repo = repoOf(settings, type, name)
  try {
    const others = (await readdir(join(repo.storage, 'snapshots')).catch(() => [])).filter((other) => other !== commit)
    const shared = new Set((await Promise.all(others.map((other) => blobsOf(repo, other)))).flat())
    for (const blob of new Set(await blobsOf(repo, commit)))
      if (!shared.has(blob)) await rm(blobPath(repo, blob), { force: true })
    for (const ref of await listFolder(join(repo.storage, 'refs')).catch(() => [])) {
      const path = join(repo.storage, 'refs', ref)
      if ((await readFile(path, 'utf8').catch(() => '')).trim() === commit) await rm(path, { force: true })
    }
    await rm(join(repo.storage, '.no_exist', commit), { recursive: true, force: true })
    await rm(snapshotFolder(repo, commit), { recursive: true, force: true })
  } catch (error) {
    throw fault('file.write', {
      place: repo.storage,
      what: 'the revision cannot be removed from the cache',
      seen: commit,
      cause: error,
    })
  }
}

/**
 * Blobs that a snapshot links to; a copy is no link and goes with its snapshot. What cannot be listed throws: its blobs
 * could be taken for nobody's.
 */
async function blobsOf(repo: Repo, commit: string): Promise<string[]> {
  const folder = snapshotFolder(repo, commit)
  const paths = (await isFolder(folder)) ? await listFolder(folder) : []
  const targets = await Promise.all(paths.map((path) => readlink(join(folder, path)).catch(() => undefined)))
  return targets.flatMap((target) => (target === undefined ? [] : [basename(target)]))
}
