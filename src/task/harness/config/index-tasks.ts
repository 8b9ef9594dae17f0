/**
 * Index of every task, group and tag below folders of task files – read once, stored next to the other caches, looked
 * up by name.
 */
import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { asFault, compareCodePoints, fingerprint, type OnProgress, sha256 } from '#core'
import { parseJson } from '#files/formats'
import { writeWhole } from '#platform/disk'
import { type Config, readConfig } from './read-config.ts'

export type EntryKind = 'task' | 'group' | 'tag' | 'class'

export interface Entry {
  readonly name: string
  readonly kind: EntryKind
  /** Folder of tasks that the file belongs to, and the file; empty for tags. */
  readonly root: string
  readonly path: string
  /** Tasks that bear a tag, sorted. */
  readonly tasks: readonly string[]
}

export interface TaskIndex {
  readonly entries: ReadonlyMap<string, Entry>
  /** Files that could not be read, with why; and names that two files claim. */
  readonly broken: readonly { readonly path: string; readonly reason: string }[]
}

export interface IndexOptions {
  /** Folder in which indexes are kept. */
  readonly cache: string
  readonly onProgress?: OnProgress | undefined
}

/** What one folder holds, as it is kept. */
interface FolderIndex {
  readonly stamp: string
  readonly entries: readonly { name: string; kind: Exclude<EntryKind, 'tag'>; path: string; tags: readonly string[] }[]
  readonly broken: TaskIndex['broken']
}

/** Changes whenever an index would be made otherwise. */
const format = 3

/**
 * The tasks of `roots`. Where two claim a name, the one in the later folder counts, and within a folder the first by
 * path (as in the reference).
 */
export async function indexTasks(roots: readonly string[], options: IndexOptions): Promise<TaskIndex> {
  const entries = new Map<string, Entry>()
  const broken: TaskIndex['broken'][number][] = []
  for (const root of roots.map((path) => resolve(path))) {
    const folder = await folderIndex(root, options)
    broken.push(...folder.broken)
    const own = new Map<string, Entry>()
    const tagged = new Map<string, string[]>()
    for (const { name, kind, path, tags } of folder.entries) {
      const known = own.get(name)
      if (known === undefined) own.set(name, { name, kind, root, path: join(root, path), tasks: [] })
      else broken.push({ path: join(root, path), reason: `the name ${name} is taken by ${known.path}` })
      if (kind !== 'group') for (const tag of tags) tagged.set(tag, [...(tagged.get(tag) ?? []), name])
    }
    // a tag that has the name of a task is left out, as the reference does it
    for (const [name, tasks] of tagged)
      if (!own.has(name)) own.set(name, { name, kind: 'tag', root: '', path: '', tasks: tasks.sort(compareCodePoints) })
    for (const [name, entry] of own) entries.set(name, entry)
  }
  return { entries, broken }
}

async function folderIndex(root: string, { cache, onProgress }: IndexOptions): Promise<FolderIndex> {
  const files = taskFiles(root)
  const stamp = fingerprint({ format, files: files.map(({ path, size, times }) => [path, size, times]) })
  const kept = join(cache, `${sha256(root).slice(0, 16)}.json`)
  const known = await readKept(kept)
  if (known?.stamp === stamp) return known
  const entries: FolderIndex['entries'][number][] = []
  const broken: TaskIndex['broken'][number][] = []
  for (const [done, { path }] of files.entries()) {
    if (done % 500 === 0) onProgress?.({ stage: 'index task files', done, total: files.length, unit: 'tasks' })
    try {
      const entry = entryOf(await readConfig(join(root, path), root), path)
      if (entry !== undefined) entries.push(entry)
    } catch (error) {
      broken.push({ path: join(root, path), reason: asFault(error, 'format.yaml', path).message })
    }
  }
  const index: FolderIndex = { stamp, entries, broken }
  await writeWhole(kept, JSON.stringify(index))
  return index
}

async function readKept(path: string): Promise<FolderIndex | undefined> {
  try {
    return parseJson(await readFile(path, 'utf8'), path) as FolderIndex
  } catch {
    return undefined
  }
}

function entryOf(config: Config, path: string): FolderIndex['entries'][number] | undefined {
  const { class: made, group, task, tag } = config
  const tags = (Array.isArray(tag) ? tag : [tag]).filter((name) => typeof name === 'string')
  const plain = group !== undefined ? 'group' : 'task'
  const kind = made !== undefined ? 'class' : plain
  const name = kind === 'group' ? group : task
  return typeof name === 'string' ? { name, kind, path, tags } : undefined
}

const ignored = ['__pycache__', '.ipynb_checkpoints']

interface TaskFile {
  /** Below the root, with slashes. */
  readonly path: string
  readonly size: number
  /** When it was written, and when it was changed: the second is the system's alone to set. */
  readonly times: readonly number[]
}

/** In the order in which the reference reads them. Synchronous: thousands of small calls are three times as fast so. */
function taskFiles(root: string): TaskFile[] {
  const found: TaskFile[] = []
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !ignored.includes(entry.name)) visit(path)
      else if (entry.name.endsWith('.yaml')) {
        const { size, mtimeMs, ctimeMs } = statSync(join(root, path))
        found.push({ path, size, times: [mtimeMs, ctimeMs] })
      }
    }
  }
  try {
    visit('')
  } catch (error) {
    throw asFault(error, 'file.missing', root)
  }
  return found.sort((a, b) => compareCodePoints(a.path, b.path))
}

/** Task files of a folder that is no part of an index: what it holds, for `--tasks FILE`. */
export async function entryOfFile(path: string): Promise<Entry | undefined> {
  const full = resolve(path)
  const root = resolve(full, '..')
  const entry = entryOf(await readConfig(full, root), full)
  return entry && { name: entry.name, kind: entry.kind, root, path: full, tasks: [] }
}
