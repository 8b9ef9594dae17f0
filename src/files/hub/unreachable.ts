/** Faults for an unreachable hub: which model or data set was wanted, and which part of it is cached. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, fault } from '#core'
import { listFolder } from './folder.ts'
import { type Repo, snapshotFolder } from './layout.ts'

/** Runs what asks the hub about a repository; `hub.network` then names the repository. */
export async function reaching<T>(repo: Repo, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'hub.network') throw error
    const { place, hint, ...parts } = error.parts
    throw fault('hub.network', {
      ...parts,
      place: `${titleOf(repo)} (${place})`,
      hint: [await cachedOf(repo), hint].join('; '),
      cause: error,
    })
  }
}

/** The fault for files that are not cached while the network is off. */
export async function offlineFault(repo: Repo, revision: string, path?: string): Promise<Fault> {
  return fault('hub.offline', {
    place: `${titleOf(repo)}@${revision}${path === undefined ? '' : ` › ${path}`}`,
    what: 'not in the cache, and the network is off (HF_HUB_OFFLINE)',
    seen: repo.storage,
    hint: `${await cachedOf(repo)}; run once without HF_HUB_OFFLINE, or point HF_HOME or HF_HUB_CACHE at a cache that has it`,
  })
}

function titleOf({ type, name }: Repo): string {
  return `${type === 'dataset' ? 'data set' : 'model'} ${name}`
}

async function cachedOf(repo: Repo): Promise<string> {
  const commits = await readdir(join(repo.storage, 'snapshots')).catch(() => [])
  const held = await Promise.all(
    commits.map(async (commit) => `${await countFiles(snapshotFolder(repo, commit))} of ${commit.slice(0, 7)}`),
  )
  return held.length === 0 ? 'nothing of it is cached' : `files of it that are cached: ${held.join(', ')}`
}

async function countFiles(folder: string): Promise<number> {
  return (await listFolder(folder).catch(() => [])).length
}
