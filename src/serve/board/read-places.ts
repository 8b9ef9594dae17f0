/** Reads runs, searches and results of the harness, again only when their files changed. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asFault } from '#core'
import { readRecordedPlan, type RecordedPlan } from '#experiment/run'
import { readSearch, type RecordedSearch } from '#experiment/search'
import { status, type WorkStatus } from '#experiment/workers'
import { type HarnessFiles, harnessFiles } from '#result/ledger'

export interface SeenRun {
  readonly folder: string
  readonly name: string
  readonly plan: RecordedPlan
  readonly status: WorkStatus
}

export interface SeenSearch {
  readonly folder: string
  readonly name: string
  readonly search: RecordedSearch
}

interface Stamped<Value> {
  readonly stamp: string
  /** Or why it could not be read. */
  readonly value: Value | Error
}

export type ReadOnce = <Value>(key: string, stamp: string, read: () => Promise<Value>) => Promise<Stamped<Value>>

/** Milliseconds after which the times of running jobs are counted anew. */
const oldest = 5000

/** Reads a thing again when its stamp is another one. */
export function openReadOnce(): ReadOnce {
  const kept = new Map<string, Stamped<unknown>>()
  return async <Value>(key: string, stamp: string, read: () => Promise<Value>) => {
    const before = kept.get(key)
    if (before?.stamp === stamp) return before as Stamped<Value>
    const value = await read().catch((error: unknown) => asFault(error, 'file.unreadable', key))
    const stamped = { stamp, value }
    kept.set(key, stamped)
    return stamped
  }
}

/** Undefined where the plan is none. `now`: milliseconds since 1970. */
export async function readRun(
  kept: ReadOnce,
  folder: string,
  now: number,
): Promise<Stamped<Pick<SeenRun, 'plan' | 'status'> | undefined>> {
  const names = await readdir(join(folder, 'events')).catch((): string[] => [])
  const files = ['plan.json', 'jobs', ...names.sort().map((name) => join('events', name))]
  const claimed = await readdir(join(folder, 'jobs')).catch(() => [])
  const beat = claimed.some((name) => name.endsWith('.lock')) ? ` ${Math.floor(now / oldest)}` : ''
  return kept(`run ${folder}`, `${await stampOf(folder, files)}${beat}`, async () => {
    const plan = await readRecordedPlan(folder)
    return plan === undefined ? undefined : { plan, status: await status(folder, plan.jobs, { now }) }
  })
}

export async function readSearchAt(kept: ReadOnce, folder: string): Promise<Stamped<RecordedSearch | undefined>> {
  return kept(`search ${folder}`, await stampOf(folder, ['search.json', 'trajectory.jsonl']), () => readSearch(folder))
}

export async function readHarness(kept: ReadOnce, folder: string): Promise<Stamped<HarnessFiles>> {
  const names = await readdir(folder).catch(() => [])
  return kept(`harness ${folder}`, await stampOf(folder, names.filter((name) => name.endsWith('.json')).sort()), () =>
    harnessFiles(folder),
  )
}

/** Names, times and sizes: a write moves one of them. */
async function stampOf(folder: string, names: readonly string[]): Promise<string> {
  const all = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return all
    .map((facts, at) => `${names[at] ?? ''} ${facts === undefined ? '-' : `${facts.mtimeMs}/${facts.size}`}`)
    .join(' ')
}
