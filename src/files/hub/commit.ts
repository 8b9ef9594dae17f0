/** From a revision to a commit: the cache where it can say, the hub once where it cannot, and the cache again when the hub cannot be reached. */
import { Fault, fault } from '#core'
import { parseJson } from '#files/formats'
import { ask } from './ask.ts'
import { isFolder, readRef, type Repo, snapshotFolder, writeRef } from './layout.ts'
import { isFileName } from './names.ts'
import { persist } from './persist.ts'
import { refusal } from './refusal.ts'
import type { HubSettings } from './settings.ts'

export interface Resolved {
  readonly commit: string
  /** A snapshot folder with a name of its own: the hub knows nothing of it, what it holds is all there is. */
  readonly closed: boolean
  /** Said to the user: the hub was not asked with success and an older answer is used. */
  readonly notice?: string
}

/** Throws `hub.offline` when only the network could tell, else the hub's own faults. */
export async function resolveCommit(settings: HubSettings, repo: Repo, revision: string, signal?: AbortSignal): Promise<Resolved> {
  if (!revision.includes('/') && (await isFolder(snapshotFolder(repo, revision)))) return { commit: revision, closed: !isCommit(revision) }
  if (isCommit(revision)) {
    if (settings.offline) throw offlineFault(repo, revision)
    return { commit: revision, closed: false }
  }

  const recorded = await readRef(repo, revision)
  const usable = recorded !== undefined && (await isFolder(snapshotFolder(repo, recorded))) ? recorded : undefined
  if (settings.offline) {
    if (usable !== undefined) return { commit: usable, closed: false }
    throw offlineFault(repo, revision)
  }
  try {
    // With something to fall back to there is no need for patience.
    const patience = usable === undefined ? settings.patience : { ...settings.patience, retries: 0 }
    const commit = await askCommit({ ...settings, patience }, repo, revision, signal)
    if (await isFolder(snapshotFolder(repo, commit))) await writeRef(repo, revision, commit)
    return { commit, closed: false }
  } catch (error) {
    // `hub.missing` is an answer; the others leave open what the hub would have said.
    const unanswered = error instanceof Fault && ['hub.network', 'hub.server', 'hub.busy', 'hub.denied'].includes(error.code)
    if (!unanswered || usable === undefined) throw error
    return { commit: usable, closed: false, notice: `${error.message}; using ${repo.name}@${usable} from the cache` }
  }
}

/** What is not cached while the network is off. */
export function offlineFault(repo: Repo, revision: string, path?: string): Fault {
  return fault('hub.offline', {
    place: `${repo.name}@${revision}${path === undefined ? '' : ` › ${path}`}`,
    what: 'not in the cache, and the network is off (HF_HUB_OFFLINE)',
    seen: repo.storage,
    hint: 'run once without HF_HUB_OFFLINE, or point HF_HOME or HF_HUB_CACHE at a cache that has it',
  })
}

async function askCommit(settings: HubSettings, repo: Repo, revision: string, signal?: AbortSignal): Promise<string> {
  const address = `${settings.endpoint}/api/${repo.type}s/${repo.name}/revision/${encodeURIComponent(revision)}`
  const attempt = async (): Promise<string> => {
    const answer = await ask(settings, address, { signal })
    if (answer.status !== 200) throw await refusal(settings, answer, { repo, revision })
    return answer.text()
  }
  const text = await persist(attempt, { patience: settings.patience, signal })
  const commit = commitOf(text)
  if (commit !== undefined) return commit
  const hint = 'check HF_ENDPOINT and whether a proxy or login page stands between'
  throw fault('hub.server', { place: `${repo.name}@${revision}`, what: 'the answer names no commit', seen: text.slice(0, 80), hint })
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
