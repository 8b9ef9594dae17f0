/**
 * A folder of results that grows meanwhile: the first look reads every file, each further look only new files and
 * those that were written again. A result is kept as its scores alone, so that memory grows by about a kilobyte per result.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Provenance, Scores } from '#core'
import type { StoredResult } from './document.ts'
import { jsonFiles, type Listed, named, readResult, type ResultFolder, resultFolders } from './find-results.ts'
import { readModelMeta } from './model-meta.ts'
import type { ParseOptions } from './parse-result.ts'
import { failedFolder } from './paths.ts'

/** A result without its further metrics; `at`: when its file was written, in milliseconds since 1970. */
export type Watched = Listed & { readonly at: number }

export interface ResultsWatch {
  /** Reads new files; true where anything changed. `onRead` is called after each folder that was read. */
  look(options?: LookOptions): Promise<boolean>
  /** Results in the order of paths, those read so far while the first look is under way. */
  listed(): Watched[]
  readonly count: number
}

interface LookOptions {
  readonly onRead?: (() => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Names of folders directly below the root that hold something else. */
  readonly without?: readonly string[] | undefined
}

interface Leaf {
  readonly modified: number
  readonly settled: boolean
  readonly files: ReadonlyMap<string, { readonly stamp: string; readonly one: Watched }>
}

/** A file that is written in place leaves the time of its folder alone: number of looks after which the files themselves are checked. */
const thorough = 30
/** Milliseconds within which a folder may change twice at the same time of its clock. */
const coarse = 2000
/** Files that are read at once. */
const together = 32

/** Never throws for a file or folder that is missing or broken: those are entries with a fault, or none. */
export function watchResults(root: string, options: ParseOptions = {}): ResultsWatch {
  let leaves = new Map<string, Leaf>()
  const shared = sharer()
  let looks = 0
  return {
    async look({ onRead, signal, without } = {}) {
      const isThorough = looks++ % thorough === 0
      const [before, seen] = [leaves, new Map<string, Leaf>()]
      let changed = false
      for await (const place of resultFolders(root, { without }))
        for (const folder of [place.folder, join(place.folder, failedFolder)]) {
          signal?.throwIfAborted()
          const old = before.get(folder)
          const leaf = await lookInto(folder, place, { old, isThorough, options, shared })
          if (leaf === undefined) continue
          seen.set(folder, leaf)
          if (leaf.files === old?.files) continue
          changed = true
          // the files read so far can be shown
          if (looks === 1) leaves = seen
          onRead?.()
        }
      changed ||= [...before].some(([folder, { files }]) => files.size > 0 && !seen.has(folder))
      leaves = seen
      return changed
    },
    listed: () => [...leaves.values()].flatMap(({ files }) => [...files.values()].map(({ one }) => one)),
    get count() {
      return [...leaves.values()].reduce((sum, { files }) => sum + files.size, 0)
    },
  }
}

interface LookInto {
  readonly old: Leaf | undefined
  readonly isThorough: boolean
  readonly options: ParseOptions
  readonly shared: Sharer
}

/** The same `files` where nothing changed; undefined where there is no such folder. */
async function lookInto(
  folder: string,
  { folder: whole, names }: ResultFolder,
  { old, isThorough, options, shared }: LookInto,
): Promise<Leaf | undefined> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts === undefined) return undefined
  const modified = facts.mtimeMs
  if (old !== undefined && old.modified === modified && old.settled && !isThorough) return old
  const settled = Date.now() - modified > coarse
  const paths = await jsonFiles(folder)
  const meta = paths.length === 0 ? undefined : await readModelMeta(whole)
  const read = async (path: string): Promise<[string, { stamp: string; one: Watched }][]> => {
    const file = await stat(path).catch(() => undefined)
    if (file === undefined) return []
    const stamp = `${file.mtimeMs} ${file.size} ${file.ino}`
    const known = old?.files.get(path)
    if (known?.stamp === stamp) return [[path, known]]
    const found = await readResult(path, options)
    if (found === undefined) return []
    const slim = found.result === undefined ? found : { path, result: scoresAlone(found.result, shared) }
    return [[path, { stamp, one: sharedNames({ ...named(slim, path, names, meta), at: file.mtimeMs }, shared) }]]
  }
  const files = new Map<string, { stamp: string; one: Watched }>()
  for (let from = 0; from < paths.length; from += together)
    for (const some of await Promise.all(paths.slice(from, from + together).map(read)))
      for (const [path, one] of some) files.set(path, one)
  const isSame = old?.files.size === files.size && [...files].every(([path, one]) => old.files.get(path) === one)
  return { modified, settled, files: isSame ? old.files : files }
}

/** One string for all that are equal: most results of a folder have the same names. */
type Sharer = (text: string) => string

function sharer(): Sharer {
  const known = new Map<string, string>()
  return (text) => {
    const same = known.get(text)
    if (same !== undefined) return same
    known.set(text, text)
    return text
  }
}

function sharedNames(one: Watched, shared: Sharer): Watched {
  return {
    ...one,
    model: shared(one.model),
    revision: shared(one.revision),
    representation: shared(one.representation),
    task: shared(one.task),
  }
}

/** What tables of results are made of; the file has the rest. */
function scoresAlone(
  { task_name, scores, mteb_version, evaluation_time, strata }: StoredResult,
  shared: Sharer,
): StoredResult {
  return {
    task_name: shared(task_name),
    ...(scores === undefined ? {} : { scores: mainScores(scores, shared) }),
    ...(strata === undefined ? { mteb_version, evaluation_time } : { strata: provenance(strata, shared) }),
  }
}

function provenance({ settings, ...strata }: Provenance, shared: Sharer): Provenance {
  const { combination } = settings
  return {
    status: strata.status,
    ...(strata.code === undefined ? {} : { code: strata.code }),
    ...(strata.reason === undefined ? {} : { reason: shared(strata.reason) }),
    model: shared(strata.model),
    revision: shared(strata.revision),
    representation: shared(strata.representation),
    profile: strata.profile,
    version: shared(strata.version),
    seconds: strata.seconds,
    fingerprint: '',
    settings: combination === undefined ? none : { combination },
  }
}

const none = {}

function mainScores(scores: Scores, shared: Sharer): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, subsets]) => [
      shared(split),
      subsets.map(({ hf_subset, languages, main_score, higher_is_better, subfield }) => ({
        hf_subset: shared(hf_subset),
        languages: languages.map(shared),
        main_score,
        ...(higher_is_better === undefined ? {} : { higher_is_better }),
        ...(subfield === undefined ? {} : { subfield }),
      })),
    ]),
  )
}
