/** Contents of the Hugging Face cache, as `hf cache scan` shows them. */
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareUnits } from '#core'
import { isFolder } from './layout.ts'
import { listFolder } from './folder.ts'
import type { RepoType } from './names.ts'
import type { HubSettings } from './settings.ts'

export interface CachedRevision {
  readonly commit: string
  /** Branches, tags and pull requests that were last seen at this commit. */
  readonly refs: readonly string[]
  readonly files: number
}

export interface CachedRepo {
  readonly type: RepoType
  readonly name: string
  readonly folder: string
  /** Blobs, files stored as copies, and downloads that are not finished. */
  readonly byteLength: number
  readonly revisions: readonly CachedRevision[]
}

/**
 * Models and data sets in the cache, sorted by name; anything else in the folder is passed over. An absent cache is an
 * empty one.
 */
export async function listCachedRepos(settings: HubSettings): Promise<readonly CachedRepo[]> {
  const repos: CachedRepo[] = []
  for (const entry of await readdir(settings.cacheFolder).catch(() => [])) {
    const [, kind, rest] = /^(model|dataset)s--(.+)$/.exec(entry) ?? []
    const folder = join(settings.cacheFolder, entry)
    if (kind === undefined || rest === undefined || !(await isFolder(join(folder, 'snapshots')))) continue
    const type = kind === 'model' ? 'model' : 'dataset'
    repos.push({
      type,
      name: rest.replaceAll('--', '/'),
      folder,
      byteLength: await bytesOnDisk(folder),
      revisions: await revisionsIn(folder),
    })
  }
  return repos.sort((a, b) => compareUnits(a.name, b.name))
}

async function revisionsIn(folder: string): Promise<CachedRevision[]> {
  const refs = await Promise.all(
    (await listFolder(join(folder, 'refs')).catch(() => [])).map(async (ref) => ({
      ref,
      commit: (await readFile(join(folder, 'refs', ref), 'utf8').catch(() => '')).trim(),
    })),
  )
  const revisions: CachedRevision[] = []
  for (const commit of (await readdir(join(folder, 'snapshots'))).sort()) {
    const snapshot = join(folder, 'snapshots', commit)
    if (!(await isFolder(snapshot))) continue
    const here = refs.filter((each) => each.commit === commit).map(({ ref }) => ref)
    revisions.push({ commit, refs: here, files: (await listFolder(snapshot)).length })
  }
  return revisions
}

/** Links weigh nothing: what they point to is counted where it lies. */
async function bytesOnDisk(folder: string): Promise<number> {
  let byteLength = 0
  for (const part of ['blobs', 'snapshots']) {
    for (const path of await listFolder(join(folder, part)).catch(() => [])) {
      const full = join(folder, part, path)
      const info = part === 'blobs' ? await stat(full) : await lstat(full)
      if (info.isFile()) byteLength += info.size
    }
  }
  return byteLength
}
