/**
 * From a revision to a commit: the cache where it can say, the hub once where it cannot, and the cache again when the
 * hub cannot be reached.
 */
import { Fault, fault } from '#core'
import { parseJson } from '#files/formats'
import { retryRequest } from './request.ts'
import { isFolder, readRef, type Repo, snapshotFolder, writeRef } from './layout.ts'
import { isFileName } from './names.ts'
import { refusal } from './refusal.ts'
import type { HubSettings } from './settings.ts'
import { offlineFault } from './unreachable.ts'

export interface Resolved {
  readonly commit: string
  /** A snapshot folder with a name of its own: the hub knows nothing of it, what it holds is all there is. */
  readonly closed: boolean
  /** Said to the user: the hub was not asked with success and an older answer is used. */
  readonly notice?: string
}

/** Throws `hub.offline` when the answer needs the network, otherwise the hub's own faults. */
export async function resolveCommit(
  settings: HubSettings,
  repo: Repo,
  revision: string,
  signal?: AbortSignal,
): Promise<Resolved> {
  if (!revision.includes('/') && (await isFolder(snapshotFolder(repo, revision))))
    return { commit: revision, closed: !isCommit(revision) }
  if (isCommit(revision)) {
    if (settings.offline) throw await offlineFault(repo, revision)
    return { commit: revision, closed: false }
  }

  const recorded = await readRef(repo, revision)
  const usable = recorded !== undefined && (await isFolder(snapshotFolder(repo, recorded))) ? recorded : undefined
  if (settings.offline) {
    if (usable !== undefined) return { commit: usable, closed: false }
    throw await offlineFault(repo, revision)
  }
  try {
    // With something to fall back to there is no need for patience.
    const patience = usable === undefined ? settings.patience : { ...settings.patience, retries: 0 }
    const commit = await askCommit({ ...settings, patience }, repo, revision, signal)
    if (await isFolder(snapshotFolder(repo, commit))) await writeRef(repo, revision, commit)
    return { commit, closed: false }
  } catch (error) {
    // `hub.missing` is an answer; the others leave open what the hub would have said.
    const unanswered =
      error instanceof Fault && ['hub.network', 'hub.server', 'hub.busy', 'hub.denied'].includes(error.code)
    if (!unanswered || usable === undefined) throw error
    return { commit: usable, closed: false, notice: `${error.message}; using ${repo.name}@${usable} from the cache` }
  }
}

async function askCommit(settings: HubSettings, repo: Repo, revision: string, signal?: AbortSignal): Promise<string> {
  const address = `${settings.endpoint}/api/${repo.type}s/${repo.name}/revision/${encodeURIComponent(revision)}`
  const text = await retryRequest(settings, address, { signal }, async (response) => {
    if (response.status !== 200) throw await refusal(settings, response, { repo, revision })
    return response.text()
  })
  const commit = commitOf(text)
  if (commit !== undefined) return commit
  const hint = 'check HF_ENDPOINT, and for a proxy or login page in between'
  throw fault('hub.server', {
    place: `${repo.name}@${revision}`,
    what: 'the answer names no commit',
    seen: text.slice(0, 80),
    hint,
  })
}

function commitOf(text: string): string | undefined {
  try {
    const info = parseJson(text, 'answer')
    const sha = info !== null && typeof info === 'object' && 'sha' in info ? info.sha : undefined
    return typeof sha === 'string' && isFileName(sha) ? sha : undefined
  } catch {
    return undefined
  }
}

function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision)
}
