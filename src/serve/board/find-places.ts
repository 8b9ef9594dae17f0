/** What the folders of a board hold: results, runs, searches, results of lm-evaluation-harness. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

export interface Places {
  readonly roots: readonly ResultsRoot[]
  /** Folders of `strata run`. */
  readonly runs: readonly string[]
  /** Folders of `strata search`. */
  readonly searches: readonly string[]
  /** Folders with files of lm-evaluation-harness. */
  readonly harness: readonly string[]
  /** Named folders that are not there now. */
  readonly gone: readonly string[]
}

export interface ResultsRoot {
  readonly root: string
  /** Names of folders directly below that hold something else. */
  readonly without: readonly string[]
}

/** A search of a run is in `RUN/searches/NAME`, and runs may share a folder. */
const deepest = 3
/** Folders whose content is known without a look. */
const known = new Set(['experiments', 'events', 'failed', 'items', 'jobs', 'logs', 'made', 'outdated', 'partial'])

/** Looks three levels down, and into no folder of results. */
export async function findPlaces(folders: readonly string[]): Promise<Places> {
  const found: Found = { roots: new Map(), runs: [], searches: [], harness: [], gone: [] }
  for (const folder of folders) {
    const facts = await stat(folder).catch(() => undefined)
    if (facts?.isDirectory() !== true) {
      found.gone.push(folder)
      continue
    }
    const others = await lookBelow(folder, 0, found)
    const inner = join(folder, resultsName)
    if (await isFolder(inner)) found.roots.set(inner, [])
    else found.roots.set(folder, others)
  }
  const { roots, ...places } = found
  return { ...places, roots: [...roots].map(([root, without]) => ({ root, without })) }
}

interface Found {
  readonly roots: Map<string, readonly string[]>
  readonly runs: string[]
  readonly searches: string[]
  readonly harness: string[]
  readonly gone: string[]
}

const resultsName = 'results'

/** Names of the folders directly below that hold something else than results of a model. */
async function lookBelow(folder: string, depth: number, found: Found): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = new Set(entries.map(({ name }) => name))
  const isRun = names.has('plan.json')
  if (isRun) found.runs.push(folder)
  if (names.has('search.json') && names.has('trajectory.jsonl')) found.searches.push(folder)
  if ([...names].some((name) => /^results_.*\.json$/.test(name))) found.harness.push(folder)
  if (isRun && names.has(resultsName)) found.roots.set(join(folder, resultsName), [])
  if (depth === deepest) return []
  const others: string[] = []
  for (const entry of entries) {
    const { name } = entry
    if (!entry.isDirectory() || name.startsWith('.') || known.has(name) || name === resultsName) continue
    const before = counted(found)
    const below = await lookBelow(join(folder, name), depth + 1, found)
    if (counted(found) > before || below.length > 0) others.push(name)
  }
  return others
}

function counted({ runs, searches }: Found): number {
  return runs.length + searches.length
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** Short names of folders: their own, with those above where two are alike. */
export function shortNames(folders: readonly string[]): Map<string, string> {
  const count = new Map<string, number>()
  for (const folder of folders) count.set(basename(folder), (count.get(basename(folder)) ?? 0) + 1)
  return new Map(
    folders.map((folder) => [folder, count.get(basename(folder)) === 1 ? basename(folder) : folder] as const),
  )
}
