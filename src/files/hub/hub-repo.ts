/** A repository of the hub: read from the cache, completed from the network file by file. */
import { type Fault, fault, type OnProgress, type RepoFiles } from '#core'
import { resolveCommit } from './commit.ts'
import { downloadTo, describeFile, downloadFile, type DownloadOptions, type RemoteFile } from './download.ts'
import { cachedFile, isFolder, knownAbsent, repoOf, snapshotFolder, writeAbsent, writeRef } from './layout.ts'
import { checkPath, checkRepoName, checkRevision, type RepoType } from './names.ts'
import type { OpenedRepo } from './opened-repo.ts'
import { readBytes, readText } from './read.ts'
import type { HubSettings } from './settings.ts'
import { type Listing, readListing } from './tree.ts'
import { offlineFault, reaching } from './unreachable.ts'

export interface HubRepoOptions {
  type: RepoType
  revision: string
  settings: HubSettings
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * Opens a repository at a branch, tag or commit. The hub is asked at most once, for the commit; files and listing
 * follow when they are wanted.
 */
export async function openHubRepo(
  name: string,
  { type, revision, settings, onProgress, signal }: HubRepoOptions,
): Promise<OpenedRepo> {
  const repo = repoOf(settings, type, checkRepoName(name))
  const {
    commit,
    closed,
    notice: early,
  } = await reaching(repo, () => resolveCommit(settings, repo, checkRevision(revision, name), signal))
  const snapshot = snapshotFolder(repo, commit)
  const absent = new Set<string>()
  const coming = new Map<string, Promise<string>>()
  let notice = early
  let listing: Promise<Listing> | undefined

  async function contents(): Promise<Listing> {
    listing ??= reaching(repo, () => readListing(settings, repo, commit, { closed, signal }))
    try {
      const found = await listing
      notice ??= found.notice
      return found
    } catch (error) {
      listing = undefined
      throw error
    }
  }

  /** Absence is recorded only where there is a snapshot: a repository folder without one counts as corrupt. */
  async function recordAbsent(path?: string): Promise<void> {
    if (path !== undefined) absent.add(path)
    if (absent.size === 0 || !(await isFolder(snapshot))) return
    const paths = [...absent]
    absent.clear()
    for (const each of paths) await writeAbsent(repo, commit, each)
  }

  function noSuchFile(path: string): Fault {
    return fault('hub.missing', { place: `${name}@${commit} › ${path}`, what: 'no such file in this repository' })
  }

  async function describe(path: string, from?: AbortSignal): Promise<RemoteFile> {
    if (closed || absent.has(path) || (await knownAbsent(repo, commit, path))) throw noSuchFile(path)
    if (settings.offline) throw await offlineFault(repo, commit, path)
    const remote = await reaching(repo, () => describeFile(settings, { repo, commit, path }, from))
    if (remote) return remote
    await recordAbsent(path)
    throw noSuchFile(path)
  }

  async function download(path: string, remote: RemoteFile, options: DownloadOptions): Promise<void> {
    await reaching(repo, () => downloadFile(settings, { repo, commit, path }, remote, options))
    // a commit that the hub did not name may be older than one that another process learnt
    if (early === undefined) await writeRef(repo, revision, commit)
    await recordAbsent()
  }

  async function fetchedPath(path: string): Promise<string> {
    const remote = await describe(path, signal)
    const onBytes = (done: number): void =>
      onProgress?.({ stage: `download ${path}`, done, total: remote.size, unit: 'bytes' })
    await download(path, remote, { signal, onBytes })
    const local = await cachedFile(repo, commit, path)
    if (local !== undefined) return local
    throw fault('file.missing', {
      place: `${name}@${commit} › ${path}`,
      what: 'somebody removed the file from the cache while it was opened',
      hint: 'start again',
    })
  }

  const files: OpenedRepo = {
    name,
    revision: commit,
    get notice() {
      return notice
    },
    list: async () => (await contents()).paths,
    async has(path) {
      const inside = checkPath(path, name)
      if ((await cachedFile(repo, commit, inside)) !== undefined) return true
      if (absent.has(inside) || (await knownAbsent(repo, commit, inside))) return false
      const { paths, complete } = await contents()
      if (paths.includes(inside)) return true
      if (complete && !closed) await recordAbsent(inside)
      return false
    },
    async local(path) {
      const inside = checkPath(path, name)
      const cached = await cachedFile(repo, commit, inside)
      if (cached !== undefined) return cached
      const underWay = coming.get(inside) ?? fetchedPath(inside).finally(() => coming.delete(inside))
      coming.set(inside, underWay)
      return underWay
    },
    bytes: (path, limit) => readBytes(files, path, limit),
    text: (path, limit) => readText(files, path, limit),
  }
  downloaders.set(files, {
    snapshot,
    cached: (path) => cachedFile(repo, commit, path),
    describe,
    download,
    downloadTo: (path, remote, place, options) =>
      reaching(repo, () => downloadTo(settings, { repo, commit, path }, remote, place, options)),
  })
  return files
}

/** The steps of `local()`, for those who fetch many files at once. Paths are checked ones. */
export interface Downloader {
  /** Folder of the commit in the cache. */
  readonly snapshot: string
  /** Where the file lies in the cache, if it does. */
  cached(path: string): Promise<string | undefined>
  describe(path: string, signal?: AbortSignal): Promise<RemoteFile>
  download(path: string, remote: RemoteFile, options: DownloadOptions): Promise<void>
  /** Brings the file to another place, past the cache. */
  downloadTo(path: string, remote: RemoteFile, place: string, options: DownloadOptions): Promise<void>
}

const downloaders = new WeakMap<RepoFiles, Downloader>()

/** Undefined for folders: they are complete as they are. */
export function downloaderOf(files: RepoFiles): Downloader | undefined {
  return downloaders.get(files)
}
