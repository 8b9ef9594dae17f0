/** A repository, or the part of it that is wanted, from the hub into the Hugging Face cache or a folder. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fault, type OnProgress, suggestion } from '#core'
import type { RemoteFile } from './download.ts'
import { downloaderOf, openHubRepo } from './hub-repo.ts'
import { inParallel } from './in-parallel.ts'
import { cachedRemote, checkPlaces, type LocalDir, openLocalDir } from './local-dir.ts'
import { checkListed, checkPath, type RepoType } from './names.ts'
import type { OpenedRepo } from './opened-repo.ts'
import { chosen, matching } from './patterns.ts'
import { prefetch } from './prefetch.ts'
import { type HubSettings, hubSettings } from './settings.ts'

export interface PullOptions {
  type?: RepoType | undefined
  revision?: string | undefined
  /** Paths in the repository; one that ends in `/` is all below it. Empty: everything. */
  files?: readonly string[] | undefined
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
  /** Folder for the files themselves, instead of the cache. */
  localDir?: string | undefined
  /** Fetch files again that are already here. */
  force?: boolean | undefined
  concurrency?: number | undefined
  settings?: HubSettings | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export interface PullPlan {
  readonly repo: string
  readonly type: RepoType
  readonly commit: string
  /** Snapshot folder of the cache, or the folder named. */
  readonly folder: string
  /** `size` is undefined where the hub does not say. */
  readonly files: readonly { readonly path: string; readonly size: number | undefined; readonly here: boolean }[]
}

export interface Pull {
  readonly plan: PullPlan
  /** A notice for the user: the hub could not be reached, and the cached files are taken to be complete. */
  readonly notice: string | undefined
  /** Downloads the missing files; throws the faults of downloading. Finished downloads are kept. */
  run(): Promise<void>
}

/**
 * Compares the repository's files with those already here. Throws `hub.name`, `usage.conflict` (files and patterns),
 * `usage.value` (no file matches), `hub.missing` (a file that the repository does not have), `file.outside`,
 * `hub.offline`, and the faults of asking the hub.
 */
export async function openPull(name: string, options: PullOptions = {}): Promise<Pull> {
  const { type = 'model', revision = 'main', files: named = [], include = [], exclude = [] } = options
  const { localDir, force = false, concurrency = 8 } = options
  const { settings = hubSettings(), onProgress, signal } = options
  if (named.length > 0 && include.length + exclude.length > 0)
    throw fault('usage.conflict', {
      place: name,
      what: 'files are both named and chosen by patterns',
      hint: 'leave out the names, or --include and --exclude',
    })
  const repo = await openHubRepo(name, { type, revision, settings, onProgress, signal })
  const commit = repo.revision ?? ''
  const downloader = downloaderOf(repo)
  if (!downloader) throw fault('internal', { place: name, what: 'a repository of the hub without a download' })
  const paths = await wantedPaths(repo, { name, named, include, exclude, localDir })
  const folder = localDir === undefined ? downloader.snapshot : resolve(localDir)
  const place = localDir === undefined ? undefined : openLocalDir(localDir, commit, downloader)
  const remotes = new Map<string, RemoteFile>()
  const found = new Map<string, PullPlan['files'][number]>()
  const localPath = async (path: string, cached: string | undefined): Promise<string | undefined> => {
    if (place === undefined) return cached
    return (await place.isHere(path)) === true ? resolve(folder, path) : undefined
  }
  await inParallel(paths, concurrency, signal, async (path, stop) => {
    const cached = await downloader.cached(path)
    const local = force ? undefined : await localPath(path, cached)
    if (local !== undefined) {
      found.set(path, { path, size: (await stat(local)).size, here: true })
      return
    }
    const remote =
      (force || cached === undefined ? undefined : await cachedRemote(cached)) ??
      (await downloader.describe(path, stop))
    const here = !force && (await place?.isHere(path, remote)) === true
    if (!here) remotes.set(path, remote)
    found.set(path, { path, size: remote.size, here })
  })

  return {
    plan: { repo: name, type, commit, folder, files: paths.flatMap((path) => found.get(path) ?? []) },
    notice: repo.notice,
    run: () =>
      place === undefined
        ? prefetch(repo, [...remotes.keys()], { concurrency, force, onProgress, signal })
        : bring(place, remotes, { name, concurrency, force, onProgress, signal }),
  }
}

interface Wanted {
  readonly name: string
  readonly named: readonly string[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly localDir: string | undefined
}

/** Those that are named, or chosen by patterns; a name that ends in a slash is a pattern too. */
async function wantedPaths(
  repo: OpenedRepo,
  { name, named, include, exclude, localDir }: Wanted,
): Promise<readonly string[]> {
  const exact = named.filter((path) => !path.endsWith('/')).map((path) => checkPath(path, name))
  const patterns = named.filter((path) => path.endsWith('/')).map((path) => `${path}*`)
  const all = named.length > 0 && patterns.length === 0 ? [] : await repo.list()
  const listed = named.length === 0 ? chosen(all, { include, exclude }) : matching(all, patterns)
  checkListed(listed, name)
  const paths = [...new Set([...exact, ...listed])].sort()
  if (localDir !== undefined) checkPlaces(paths, localDir)
  if (paths.length === 0) throw nothing(name, all, [...patterns, ...include])
  return paths
}

interface Bringing extends Pick<PullOptions, 'onProgress' | 'signal'> {
  readonly name: string
  readonly concurrency: number
  readonly force: boolean
}

async function bring(
  place: LocalDir,
  remotes: ReadonlyMap<string, RemoteFile>,
  { name, concurrency, force, onProgress, signal }: Bringing,
): Promise<void> {
  const here = new Map<string, number>()
  const sizes = [...remotes.values()].map(({ size }) => size)
  const total = sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0)
  await inParallel([...remotes], concurrency, signal, ([path, remote], stop) =>
    place.download(path, remote, {
      force,
      signal: stop,
      onBytes(byteLength) {
        here.set(path, byteLength)
        onProgress?.({
          stage: `download ${name}`,
          done: [...here.values()].reduce((sum, each) => sum + each, 0),
          total,
          unit: 'bytes',
        })
      },
    }),
  )
}

function nothing(name: string, all: readonly string[], patterns: readonly string[]): Error {
  const hint = patterns[0] === undefined ? 'check --exclude' : suggestion(patterns[0], all)
  return all.length === 0
    ? fault('hub.missing', { place: name, what: 'the repository holds no file' })
    : fault('usage.value', { place: name, what: 'no file of the repository is chosen', seen: patterns.join(' '), hint })
}
