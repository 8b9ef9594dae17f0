/** Looks at the folders of a board again and again, and reads what changed. */
import { join } from 'node:path'
import { type HarnessScore, type ResultsWatch, watchResults, type Watched } from '#result/ledger'
import { findPlaces, type Places, shortNames } from './find-places.ts'
import {
  type ReadOnce,
  openReadOnce,
  readHarness,
  readRun,
  readSearchAt,
  type SeenRun,
  type SeenSearch,
} from './read-places.ts'

/** Everything that the folders hold, as far as it was read. */
export interface Seen {
  readonly results: readonly { readonly root: string; readonly listed: readonly Watched[] }[]
  readonly runs: readonly SeenRun[]
  readonly searches: readonly SeenSearch[]
  readonly harness: readonly { readonly folder: string; readonly scores: readonly HarnessScore[] }[]
  /** Named folders that are not there now. */
  readonly gone: readonly string[]
  /** What could not be read of runs, searches and the harness, and why. */
  readonly broken: readonly { readonly path: string; readonly message: string }[]
  /** Whether the first look is over. */
  readonly isWhole: boolean
}

export interface Looker {
  /** One look; true where anything changed. `now`: milliseconds since 1970; `onRead`: more was read meanwhile. */
  look(options: { readonly now: number; readonly onRead?: (() => void) | undefined }): Promise<boolean>
  seen(): Seen
}

export interface LookerOptions {
  /** Main score of a task, for old files that do not name it. */
  readonly mainScore?: ((task: string) => string | undefined) | undefined
  readonly signal?: AbortSignal | undefined
}

export function openLooker(folders: readonly string[], { mainScore, signal }: LookerOptions = {}): Looker {
  const watches = new Map<string, ResultsWatch>()
  const kept = openReadOnce()
  let other: Omit<Seen, 'results'> = { runs: [], searches: [], harness: [], gone: [], broken: [], isWhole: false }
  let shape = ''
  return {
    async look({ now, onRead }) {
      const places = await findPlaces(folders)
      const found = await readOthers(places, kept, now)
      const again = JSON.stringify([places, found.stamps, found.broken])
      other = { ...found, gone: places.gone, isWhole: other.isWhole }
      const isOther = again !== shape
      shape = again
      let changed = false
      for (const root of watches.keys())
        if (!places.roots.some((one) => one.root === root)) changed = watches.delete(root)
      for (const { root, without } of places.roots) {
        const watch = watches.get(root) ?? watchResults(root, mainScore === undefined ? {} : { mainScore })
        watches.set(root, watch)
        changed = (await watch.look({ onRead, signal, without })) || changed
      }
      changed ||= isOther || !other.isWhole
      other = { ...other, isWhole: true }
      return changed
    },
    seen: () => ({ ...other, results: [...watches].map(([root, watch]) => ({ root, listed: watch.listed() })) }),
  }
}

type Others = Pick<Seen, 'runs' | 'searches' | 'harness' | 'broken'> & { readonly stamps: readonly string[] }

async function readOthers({ runs, searches, harness }: Places, kept: ReadOnce, now: number): Promise<Others> {
  const names = shortNames([...runs, ...searches])
  const broken: { path: string; message: string }[] = []
  const stamps: string[] = []
  const all = async <Value, One>(
    folders: readonly string[],
    read: (folder: string) => Promise<{ stamp: string; value: Value | Error }>,
    made: (folder: string, value: Value) => readonly One[],
  ): Promise<One[]> => {
    const found: One[] = []
    for (const folder of folders) {
      const { stamp, value } = await read(folder)
      stamps.push(stamp)
      if (value instanceof Error) broken.push({ path: folder, message: value.message })
      else found.push(...made(folder, value))
    }
    return found
  }
  const nameOf = (folder: string): string => names.get(folder) ?? folder
  const found = {
    runs: await all(
      runs,
      (folder) => readRun(kept, folder, now),
      (folder, run) => (run === undefined ? [] : [{ folder, name: nameOf(folder), ...run }]),
    ),
    searches: await all(
      searches,
      (folder) => readSearchAt(kept, folder),
      (folder, search) => (search === undefined ? [] : [{ folder, name: nameOf(folder), search }]),
    ),
    harness: await all(
      harness,
      (folder) => readHarness(kept, folder),
      (folder, { scores, passedOver }) => {
        for (const { file, reason } of passedOver)
          if (!reason.endsWith(' is newer')) broken.push({ path: join(folder, file), message: reason })
        return [{ folder, scores }]
      },
    ),
  }
  return { ...found, broken, stamps }
}
