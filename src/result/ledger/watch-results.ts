/**
 * A folder of results that grows meanwhile: the first look reads every file, each further look only new files and
 * those that were written again. A result is kept as its scores alone, so that memory grows by about a kilobyte per result.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonFiles, type Listed, named, readResult, type ResultFolder, resultFolders } from './find-results.ts'
import { readModelMeta } from './model-meta.ts'
import type { ParseOptions } from './parse-result.ts'
import { failedFolder } from './paths.ts'
import { scoresAlone, type Sharer, sharer } from './scores-alone.ts'

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
  const paths = jsonFiles(folder)
  const meta = paths.length === 0 ? undefined : readModelMeta(whole)
  const read = async (path: string): Promise<[string, { stamp: string; one: Watched }][]> => {
    const file = await stat(path).catch(() => undefined)
    if (file === undefined) return []
    const stamp = `${file.mtimeMs} ${file.size} ${file.ino}`
    const known = old?.files.get(path)
    if (known?.stamp === stamp) return [[path, known]]
    const found = await readResult(path, options)
    if (found === undefined) return []
    const slim = found.result === undefined ? found : { path, result: scoresAlone(found.result, shared) }
    return [[path, { stamp, one: { ...named(slim, { path, names, meta, shared }), at: file.mtimeMs } }]]
  }
  const files = new Map<string, { stamp: string; one: Watched }>()
  for (let from = 0; from < paths.length; from += together)
    for (const some of await Promise.all(paths.slice(from, from + together).map(read)))
      for (const [path, one] of some) files.set(path, one)
  const isSame = old?.files.size === files.size && [...files].every(([path, one]) => old.files.get(path) === one)
  return { modified, settled, files: isSame ? old.files : files }
}
