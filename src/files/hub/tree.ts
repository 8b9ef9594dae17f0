/**
 * All paths of a commit. Commits do not change, so huggingface_hub (from version 2) keeps their listings in its cache;
 * they are read here, but not written:
 * its `snapshot_download` takes such a listing as the promise of a complete snapshot, and Strata downloads only what it
 * needs.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asFault, Fault, fault } from '#core'
import { parseJson } from '#files/formats'
import { retryRequest } from './request.ts'
import { listFolder } from './folder.ts'
import { isFolder, type Repo, snapshotFolder } from './layout.ts'
import { refusal } from './refusal.ts'
import type { HubSettings } from './settings.ts'
import { offlineFault } from './unreachable.ts'

/** The hub gives 1,000 entries a page. */
const mostPages = 2_000

export interface Listing {
  readonly paths: readonly string[]
  /** False if it is only what happens to be cached. */
  readonly complete: boolean
  readonly notice?: string
}

/**
 * Paths of a commit from the nearest place that knows them; a `closed` snapshot is all there is of it. Throws hub
 * faults.
 */
export async function readListing(
  settings: HubSettings,
  repo: Repo,
  commit: string,
  { closed, signal }: { closed: boolean; signal: AbortSignal | undefined },
): Promise<Listing> {
  const snapshot = snapshotFolder(repo, commit)
  if (closed) return { paths: await listFolder(snapshot), complete: true }
  const cached = await cachedListing(repo, commit)
  if (cached) return { paths: cached, complete: true }
  const started = await isFolder(snapshot)
  if (settings.offline) {
    if (started) return { paths: await listFolder(snapshot), complete: false }
    throw await offlineFault(repo, commit)
  }
  try {
    // With something to fall back to, less patience will do.
    const patience = started
      ? { ...settings.patience, retries: Math.min(1, settings.patience.retries) }
      : settings.patience
    return { paths: await listCommit({ ...settings, patience }, repo, commit, signal), complete: true }
  } catch (error) {
    // A server in trouble may hide a file that matters; only a network that is not there makes the cache the best there
    // is.
    if (!(error instanceof Fault) || error.code !== 'hub.network' || !started) throw error
    const notice = `${error.message}; taking the cached files for all of ${repo.name}@${commit}`
    return { paths: await listFolder(snapshot), complete: false, notice }
  }
}

/** Paths of all files at a commit, sorted, from the hub's paginated listing; throws hub faults. */
async function listCommit(
  settings: HubSettings,
  repo: Repo,
  commit: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return [...(await listEntries(settings, repo, commit, signal)).keys()].sort()
}

export interface TreeEntry {
  /** Git's hash of the object it stores: the file, or the pointer to it. */
  readonly oid: string | undefined
  /** Hash of the contents, for a file that git does not store itself. */
  readonly sha256: string | undefined
  readonly size: number | undefined
}

/** All files at a revision, by path, from the hub; throws hub faults. */
export async function listEntries(
  settings: HubSettings,
  { type, name }: Pick<Repo, 'type' | 'name'>,
  revision: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const { listFiles } = await import('@huggingface/hub')
  const home = new URL(settings.endpoint).origin
  let pages = 0

  // The package brings the protocol; time limits, retries, the token and its guard are the same as for every other
  // request.
  const fetchPage = async (input: string | URL | Request): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input)
    if (new URL(address).origin !== home)
      throw fault('hub.server', {
        place: name,
        what: 'the listing continues on another host',
        seen: new URL(address).host,
      })
    if (++pages > mostPages)
      throw fault('hub.server', { place: name, what: 'the listing does not end', wanted: `at most ${mostPages} pages` })
    return retryRequest(settings, address, { signal }, async (response) => {
      if (response.status !== 200)
        throw await refusal(settings, response, { repo: { type, name, storage: '' }, revision })
      const link = response.headers.get('link')
      return new Response(await response.text(), link === null ? {} : { headers: { link } })
    })
  }

  const entries = new Map<string, TreeEntry>()
  try {
    for await (const entry of listFiles({
      repo: { type, name },
      revision,
      recursive: true,
      hubUrl: settings.endpoint,
      fetch: fetchPage,
    })) {
      if (entry.type !== 'file' || typeof entry.path !== 'string') continue
      entries.set(entry.path, { oid: entry.oid, sha256: entry.lfs?.oid, size: entry.size })
    }
  } catch (error) {
    throw asFault(error, 'hub.server', `${name}@${revision} › listing`)
  }
  return entries
}

/** The listing that huggingface_hub left in the cache, or undefined if there is none that can be read. */
async function cachedListing(repo: Repo, commit: string): Promise<readonly string[] | undefined> {
  try {
    const path = join(repo.storage, 'trees', `${commit}.json`)
    const listing = parseJson(await readFile(path, 'utf8'), path)
    const { format_version: version, files } = listing as { format_version?: unknown; files?: unknown }
    return version === 1 && files !== null && typeof files === 'object' ? Object.keys(files).sort() : undefined
  } catch {
    return undefined
  }
}
