/** A search on disk: its settings and every pull, so that it resumes after a kill. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { type JournalKind, makeFolder, openJournal, readJournal, takeLock, writeWhole } from '#platform/disk'

/** The record of one pull. */
export interface SearchPull {
  readonly seq: number
  readonly arm: string
  readonly checkpoint: string
  readonly layer: string
  /** Who chose it: the layers of the baseline come before the policy. */
  readonly by: 'baseline' | 'policy'
  readonly tasks: readonly string[]
  /** Share of the tasks' texts; absent: all. */
  readonly share?: number | undefined
  /** Scores of these tasks; empty where the arm failed. */
  readonly scores: Readonly<Record<string, number>>
  readonly failed?: string | undefined
  /** Wall clock of opening, encoding and scoring; and the number of scores that existed already. */
  readonly seconds: number
  readonly reused: number
}

/** All settings that move which arm is pulled, by name. */
export type SearchSettings = Readonly<Record<string, unknown>>

export interface SearchState {
  readonly pulls: readonly SearchPull[]
  /** On disk when it returns. */
  readonly add: (pull: SearchPull) => Promise<void>
  /** Writes the summary after a pull: `search.json`, completely. */
  readonly note: (summary: Readonly<Record<string, unknown>>) => Promise<void>
  readonly close: () => Promise<void>
}

const [summaryName, trajectoryName, lockName] = ['search.json', 'trajectory.jsonl', '.search.lock'] as const

const kind: JournalKind<SearchPull> = {
  name: 'pulls',
  table: true,
  isPiece: (value): value is SearchPull =>
    isObject(value) &&
    typeof value['seq'] === 'number' &&
    typeof value['arm'] === 'string' &&
    Array.isArray(value['tasks']) &&
    isObject(value['scores']),
}
const hint = 'give the search a folder of its own: --out FOLDER'

/** The content of a search's folder; undefined where there is none. */
export interface RecordedSearch {
  readonly policy: string
  readonly best: { readonly arm: string; readonly reward: number } | undefined
  readonly pulls: readonly SearchPull[]
}

export async function readSearch(folder: string): Promise<RecordedSearch | undefined> {
  const path = join(folder, summaryName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const summary = text === undefined ? undefined : parseJson(text, path)
  if (!isObject(summary)) return undefined
  const { settings, best } = summary
  return {
    policy: isObject(settings) && typeof settings['policy'] === 'string' ? settings['policy'] : '',
    best:
      isObject(best) && typeof best['arm'] === 'string' && typeof best['reward'] === 'number'
        ? { arm: best['arm'], reward: best['reward'] }
        : undefined,
    pulls: (await readJournal(join(folder, trajectoryName), kind, { hint })) ?? [],
  }
}

/**
 * Throws `usage.conflict` where the folder has another search, with the first setting that differs, and where another
 * process is running it; `file.write`.
 */
export async function openSearch(folder: string, settings: SearchSettings): Promise<SearchState> {
  await makeFolder(folder)
  const lock = await takeLock(join(folder, lockName), { giveUp: ({ alive }) => alive === true, place: folder })
  if (lock === undefined)
    throw fault('usage.conflict', {
      place: folder,
      what: 'another process is running the search in this folder',
      hint: 'wait for it, or --out FOLDER',
    })
  try {
    const path = join(folder, summaryName)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const kept = text === undefined ? undefined : parseJson(text, path)
    const own = JSON.parse(JSON.stringify(settings)) as SearchSettings
    if (isObject(kept) && isObject(kept['settings'])) checkSame(kept['settings'], own, path)
    else await writeWhole(path, document(own, {}))
    // the folder is locked
    const trajectory = await openJournal(join(folder, trajectoryName), kind, { held: true, hint })
    const pulls = [...trajectory.pieces]
    return {
      pulls,
      async add(pull) {
        await trajectory.add([pull], { sync: true })
        pulls.push(pull)
      },
      note: (summary) => writeWhole(path, document(own, summary)),
      close: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function document(settings: SearchSettings, summary: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ ...summary, settings }, undefined, 2)}\n`
}

function checkSame(kept: Readonly<Record<string, unknown>>, own: SearchSettings, path: string): void {
  const other = [...new Set([...Object.keys(kept), ...Object.keys(own)])].find(
    (name) => JSON.stringify(kept[name]) !== JSON.stringify(own[name]),
  )
  if (other === undefined) return
  throw fault('usage.conflict', {
    place: path,
    what: `the folder contains another search: its ${other} differs`,
    seen: kept[other] ?? 'none',
    wanted: own[other] ?? 'none',
    hint: 'give this one a folder of its own: --out FOLDER',
  })
}
