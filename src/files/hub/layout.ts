/**
 * Where the Hugging Face cache keeps things, shared with huggingface_hub in both directions:
 *
 *   <cache>/models--org--name/refs/<revision>              text: the commit (`refs/pr/1` lies at refs/refs/pr/1)
 *                            /blobs/<etag>                 contents: SHA-256 for LFS and Xet, git blob SHA-1 otherwise
 *                            /snapshots/<commit>/<path>    relative link to the blob, or a copy where links are
 *                            impossible
 *                            /.no_exist/<commit>/<path>    empty: the hub said that this file does not exist
 *                            /trees/<commit>.json          listing of the commit (huggingface_hub ≥ 2; read, never
 *                            written, see `tree.ts`)
 */
import { copyFile, readFile, readlink, realpath, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder, putInPlace, systemCode, temporaryPath, writeWhole } from '#platform/disk'
import { isFileName, type RepoType } from './names.ts'
import type { HubSettings } from './settings.ts'

export interface Repo {
  readonly type: RepoType
  readonly name: string
  /** Its folder in the cache. */
  readonly storage: string
}

export function repoOf(settings: HubSettings, type: RepoType, name: string): Repo {
  return { type, name, storage: join(settings.cacheFolder, repoFolder(type, name)) }
}

export function repoFolder(type: RepoType, name: string): string {
  return [`${type}s`, ...name.split('/')].join('--')
}

export function snapshotFolder(repo: Repo, commit: string): string {
  return join(repo.storage, 'snapshots', commit)
}

export function snapshotPath(repo: Repo, commit: string, path: string): string {
  return join(snapshotFolder(repo, commit), ...path.split('/'))
}

export function blobPath(repo: Repo, etag: string): string {
  return join(repo.storage, 'blobs', etag)
}

export function lockPath(settings: HubSettings, repo: Repo, etag: string): string {
  return join(settings.cacheFolder, '.locks', repoFolder(repo.type, repo.name), `${etag}.strata.lock`)
}

/** The commit a branch or tag had when it was last seen, if that was recorded. */
export async function readRef(repo: Repo, revision: string): Promise<string | undefined> {
  try {
    const commit = (await readFile(join(repo.storage, 'refs', ...revision.split('/')), 'utf8')).trim()
    return isFileName(commit) ? commit : undefined
  } catch {
    return undefined
  }
}

/**
 * Records what a branch or tag points at. Best effort, as in huggingface_hub: a cache that cannot be written to can
 * still be read.
 */
export async function writeRef(repo: Repo, revision: string, commit: string): Promise<void> {
  if (revision === commit || (await readRef(repo, revision)) === commit) return
  const path = join(repo.storage, 'refs', ...revision.split('/'))
  await writeWhole(path, commit).catch(() => undefined)
}

/** Whether the hub has said that this file does not exist in this commit. */
export async function knownAbsent(repo: Repo, commit: string, path: string): Promise<boolean> {
  return isFile(join(repo.storage, '.no_exist', commit, ...path.split('/')))
}

/** Records that a file does not exist; best effort. */
export async function writeAbsent(repo: Repo, commit: string, path: string): Promise<void> {
  const marker = join(repo.storage, '.no_exist', commit, ...path.split('/'))
  try {
    await makeFolder(dirname(marker))
    await writeFile(marker, '', { flag: 'a' })
  } catch {
    // the next session will ask again
  }
}

/**
 * The real file behind a snapshot path, links followed, or undefined if it is not there (a link to a blob that was
 * deleted included).
 */
export async function cachedFile(repo: Repo, commit: string, path: string): Promise<string | undefined> {
  const pointer = snapshotPath(repo, commit, path)
  return (await isFile(pointer)) ? realpath(pointer) : undefined
}

export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/**
 * Makes `snapshots/<commit>/<path>` show the blob: a relative link, so that the cache may be moved. Where links are
 * impossible a new blob is moved there and an older one, which other snapshots may need, is copied – as huggingface_hub
 * does.
 */
export async function linkSnapshot(
  repo: Repo,
  commit: string,
  path: string,
  etag: string,
  { symlinks, isNew }: { symlinks: boolean; isNew: boolean },
): Promise<void> {
  const pointer = snapshotPath(repo, commit, path)
  const blob = blobPath(repo, etag)
  await makeFolder(dirname(pointer))
  if (symlinks && (await linked(relative(dirname(pointer), blob), pointer))) return
  if (isNew) return rename(blob, pointer)
  const copy = temporaryPath(pointer)
  try {
    await copyFile(blob, copy)
    await putInPlace(copy, pointer)
  } finally {
    await rm(copy, { force: true })
  }
}

/** Whether a link could be made; one that is in the way is replaced unless it already leads to the same place. */
async function linked(target: string, pointer: string): Promise<boolean> {
  for (const last of [false, true]) {
    try {
      await symlink(target, pointer)
      return true
    } catch (error) {
      if (systemCode(error) !== 'EEXIST' || last) return false
      if ((await readlink(pointer).catch(() => undefined)) === target) return true
      await unlink(pointer).catch(() => undefined)
    }
  }
  return false
}
