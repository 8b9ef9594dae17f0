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
  /** Keeps the first `count` pulls. */
  readonly cut: (count: number) => Promise<void>
  /** Records the metrics that the policy chooses by. Throws `usage.conflict` where the pulls were chosen by others. */
  readonly chooseBy: (features: string) => Promise<void>
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
    ['seq', 'seconds', 'reused'].every((name) => typeof value[name] === 'number') &&
    ['arm', 'checkpoint', 'layer'].every((name) => typeof value[name] === 'string') &&
    Array.isArray(value['tasks']) &&
    value['tasks'].every((task) => typeof task === 'string') &&
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
    const { features, ...before } = isObject(kept) && isObject(kept['settings']) ? kept['settings'] : {}
    let own = JSON.parse(JSON.stringify(settings)) as SearchSettings
    const trajectoryPath = join(folder, trajectoryName)
    // the folder is locked
    let trajectory = await openJournal(trajectoryPath, kind, { held: true, hint })
    const pulls = [...trajectory.pieces]
    if (Object.keys(before).length > 0) checkSame(before, own, path)
    else if (pulls.length > 0)
      throw fault('usage.conflict', {
        place: trajectoryPath,
        what: `pulls of a search whose settings are not known any more: ${summaryName} is gone`,
        hint: `remove ${trajectoryName} (scores stay where they are), or ${hint}`,
      })
    else await writeWhole(path, document(own, {}))
    return {
      pulls,
      async add(pull) {
        await trajectory.add([pull], { sync: true })
        pulls.push(pull)
      },
      async cut(count) {
        pulls.splice(count)
        await writeWhole(trajectoryPath, pulls.map((pull) => `${JSON.stringify(pull)}\n`).join(''))
        trajectory = await openJournal(trajectoryPath, kind, { held: true, hint })
      },
      async chooseBy(known) {
        if (pulls.length > 0 && features !== undefined) checkSame({ features }, { features: known }, path)
        own = { ...own, features: known }
        await writeWhole(path, document(own, isObject(kept) ? kept : {}))
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
