/** A repository of the hub: read from the cache, completed from the network file by file. */
import { type Fault, fault, type OnProgress, type RepoFiles } from '#core'
import { resolveCommit } from './commit.ts'
import { downloadTo, describeFile, downloadFile, type DownloadOptions, type RemoteFile } from './download.ts'
import {
  cachedFile,
  isFolder,
  knownAbsent,
  type Repo,
  repoOf,
  snapshotFolder,
  writeAbsent,
  writeRef,
} from './layout.ts'
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

/** A repository at one commit, with the facts learnt about it. */
interface AtCommit {
  readonly name: string
  readonly revision: string
  readonly repo: Repo
  readonly commit: string
  /** Only the cached files are known: the hub has not been reached. */
  readonly closed: boolean
  /** The facts stated about the commit. */
  readonly early: string | undefined
  readonly settings: HubSettings
  readonly signal: AbortSignal | undefined
  readonly onProgress: OnProgress | undefined
  readonly snapshot: string
  /** Paths that are not there, not yet recorded. */
  readonly absent: Set<string>
  notice: string | undefined
  listing: Promise<Listing> | undefined
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
  const { commit, closed, notice } = await reaching(repo, () =>
    resolveCommit(settings, repo, checkRevision(revision, name), signal),
  )
  const at: AtCommit = {
    name,
    revision,
    repo,
    commit,
    closed,
    early: notice,
    settings,
    signal,
    onProgress,
    snapshot: snapshotFolder(repo, commit),
    absent: new Set(),
    notice,
    listing: undefined,
  }
  const files = filesOf(at)
  downloaders.set(files, {
    snapshot: at.snapshot,
    cached: (path) => cachedFile(repo, commit, path),
    describe: (path, from) => describe(at, path, from),
    download: (path, remote, options) => download(at, path, remote, options),
    downloadTo: (path, remote, place, options) =>
      reaching(repo, () => downloadTo(settings, { repo, commit, path }, remote, place, options)),
  })
  return files
}

function filesOf(at: AtCommit): OpenedRepo {
  const { name, repo, commit, closed, absent } = at
  const coming = new Map<string, Promise<string>>()
  const files: OpenedRepo = {
    name,
    revision: commit,
    get notice() {
      return at.notice
    },
    list: async () => (await contents(at)).paths,
    async has(path) {
      const inside = checkPath(path, name)
      if ((await cachedFile(repo, commit, inside)) !== undefined) return true
      if (absent.has(inside) || (await knownAbsent(repo, commit, inside))) return false
      const { paths, complete } = await contents(at)
      if (paths.includes(inside)) return true
      if (complete && !closed) await recordAbsent(at, inside)
      return false
    },
    async local(path) {
      const inside = checkPath(path, name)
      const cached = await cachedFile(repo, commit, inside)
      if (cached !== undefined) return cached
      const underWay = coming.get(inside) ?? fetchedPath(at, inside).finally(() => coming.delete(inside))
      coming.set(inside, underWay)
      return underWay
    },
    bytes: (path, limit) => readBytes(files, path, limit),
    text: (path, limit) => readText(files, path, limit),
  }
  return files
}

async function contents(at: AtCommit): Promise<Listing> {
  const { settings, repo, commit, closed, signal } = at
  at.listing ??= reaching(repo, () => readListing(settings, repo, commit, { closed, signal }))
  try {
    const found = await at.listing
    at.notice ??= found.notice
    return found
  } catch (error) {
    at.listing = undefined
    throw error
  }
}

/** Absence is recorded only next to a snapshot: a repository folder without one counts as corrupt. */
async function recordAbsent({ absent, snapshot, repo, commit }: AtCommit, path?: string): Promise<void> {
  if (path !== undefined) absent.add(path)
  if (absent.size === 0 || !(await isFolder(snapshot))) return
  const paths = [...absent]
  absent.clear()
  for (const each of paths) await writeAbsent(repo, commit, each)
}

async function describe(at: AtCommit, path: string, from?: AbortSignal): Promise<RemoteFile> {
  const { name, settings, repo, commit, closed, absent } = at
  const missing = (): Fault =>
    fault('hub.missing', { place: `${name}@${commit} › ${path}`, what: 'no such file in this repository' })
  if (closed || absent.has(path) || (await knownAbsent(repo, commit, path))) throw missing()
  if (settings.offline) throw await offlineFault(repo, commit, path)
  const remote = await reaching(repo, () => describeFile(settings, { repo, commit, path }, from))
  if (remote) return remote
  await recordAbsent(at, path)
  throw missing()
}

async function download(at: AtCommit, path: string, remote: RemoteFile, options: DownloadOptions): Promise<void> {
  const { settings, repo, commit, revision, early } = at
  await reaching(repo, () => downloadFile(settings, { repo, commit, path }, remote, options))
  // facts from the cache may be older than those of another process
  if (early === undefined) await writeRef(repo, revision, commit)
  await recordAbsent(at)
}

async function fetchedPath(at: AtCommit, path: string): Promise<string> {
  const { name, repo, commit, signal, onProgress } = at
  const remote = await describe(at, path, signal)
  const onBytes = (done: number): void =>
    onProgress?.({ stage: `download ${path}`, done, total: remote.size, unit: 'bytes' })
  await download(at, path, remote, { signal, onBytes })
  const local = await cachedFile(repo, commit, path)
  if (local !== undefined) return local
  throw fault('file.missing', {
    place: `${name}@${commit} › ${path}`,
    what: 'somebody removed the file from the cache while it was opened',
    hint: 'start again',
  })
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
