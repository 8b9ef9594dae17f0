/**
 * Finds one result in a folder of results, or all of them. A foreign or broken file becomes an entry with a fault,
 * never an exception.
 */
import { type Dirent, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { asFault, fault, type Fault } from '#core'
import { pathName } from '#platform/disk'
import type { StoredResult } from './document.ts'
import { type MetaIdentity, readModelMeta } from './model-meta.ts'
import { parseResult, type ParseOptions } from './parse-result.ts'
import {
  defaultRepresentation,
  experimentsFolder,
  failedFolder,
  failurePath,
  metaFile,
  resultPath,
  type ResultPlace,
} from './paths.ts'
import { readText } from './read-text.ts'
import { scoresAlone, type Sharer, sharer } from './scores-alone.ts'

/** A file that was found: its content, or why it cannot be used. */
export type Found =
  | { readonly path: string; readonly result: StoredResult; readonly fault?: never }
  | { readonly path: string; readonly result?: never; readonly fault: Fault }

/**
 * One file of many, with the model it belongs to: as the file says, otherwise as `model_meta.json` says, otherwise by
 * its folders.
 */
export type Listed = Found & {
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly task: string
  /** Parameters of the model, and width of its vectors. */
  readonly parameters?: number | undefined
  readonly width?: number | undefined
}

export interface ListFilters extends ParseOptions {
  models?: readonly string[] | undefined
  revisions?: readonly string[] | undefined
  representations?: readonly string[] | undefined
  tasks?: readonly string[] | undefined
  /** Finished results, failures, or both (default). */
  status?: 'ok' | 'failed' | undefined
}

/**
 * The finished result of a task, if its file exists: its content, or the fault that says why it cannot be used.
 * Failures do not count.
 *
 * @example
 * ```ts
 * import { findResult, listResults } from 'strata-lm/ledger'
 *
 * const [{ model, revision } = { model: '', revision: '' }] = await listResults('results')
 * const found = await findResult({ root: 'results', model, revision, representation: 'h3' }, 'STS17')
 * console.log(found?.result?.task_name) // → STS17
 * ```
 */
export async function findResult(
  place: ResultPlace,
  task: string,
  options: ParseOptions = {},
): Promise<Found | undefined> {
  const found = await readResult(resultPath(place, task), options)
  return found && checked(found, place, task)
}

/**
 * The failure of the task's last run, if there is one.
 *
 * @example
 * ```ts
 * import { findFailure } from 'strata-lm/ledger'
 *
 * const place = { root: 'results', model: 'org/name', revision: 'main', representation: 'default' }
 * console.log(await findFailure(place, 'STS17')) // → undefined
 * ```
 */
export async function findFailure(place: ResultPlace, task: string): Promise<Found | undefined> {
  const found = await readResult(failurePath(place, task), {})
  return found && checked(found, place, task)
}

/**
 * Every result below `root` that passes the filters, in the order of paths: its content, or the fault that says why it
 * cannot be used. A missing root counts as empty.
 *
 * @example
 * ```ts
 * import { listResults } from 'strata-lm/ledger'
 *
 * for (const { task, representation, result } of await listResults('results'))
 *   console.log(task, representation, result?.scores?.['test']?.[0]?.main_score)
 * // → STS17 default 0.875912
 * // → STS17 h3 0.70692
 * ```
 */
export async function listResults(root: string, filters: ListFilters = {}): Promise<Listed[]> {
  const { tasks, status } = filters
  const listed: Listed[] = []
  const shared = sharer()
  for await (const { folder, names } of resultFolders(root, filters)) {
    listed.push(...(await listFolder(folder, { names, status, tasks, options: filters, shared })))
    // files are read at once: others get their turn between folders
    await setImmediate()
  }
  return listed
}

/** A folder with results of one model, revision and representation, as its path names them. */
export interface ResultFolder {
  readonly folder: string
  readonly names: { readonly model: string; readonly revision: string; readonly representation: string | undefined }
}

/** Folders below `root` that may hold results, in the order of paths. */
export async function* resultFolders(
  root: string,
  {
    models,
    revisions,
    representations,
    without = [],
  }: Pick<ListFilters, 'models' | 'revisions' | 'representations'> & { without?: readonly string[] | undefined } = {},
): AsyncGenerator<ResultFolder> {
  const wanted = (names: readonly string[] | undefined, folder: string): boolean =>
    names === undefined || names.some((name) => pathName(name) === folder)
  for (const model of folders(root)) {
    if (!wanted(models, model) || without.includes(model)) continue
    for (const revision of folders(join(root, model))) {
      if (!wanted(revisions, revision)) continue
      const base = join(root, model, revision)
      for (const representation of [undefined, ...folders(join(base, experimentsFolder))]) {
        if (!wanted(representations, representation ?? defaultRepresentation)) continue
        const folder = representation === undefined ? base : join(base, experimentsFolder, representation)
        yield { folder, names: { model, revision, representation } }
      }
    }
  }
}

interface FolderQuery {
  readonly names: ResultFolder['names']
  readonly status: 'ok' | 'failed' | undefined
  readonly tasks: readonly string[] | undefined
  readonly options: ParseOptions
  readonly shared: Sharer
}

async function listFolder(folder: string, { names, status, tasks, options, shared }: FolderQuery): Promise<Listed[]> {
  const files = [
    ...(status === 'failed' ? [] : jsonFiles(folder)),
    ...(status === 'ok' ? [] : jsonFiles(join(folder, failedFolder))),
  ]
  if (files.length === 0) return []
  const meta = readModelMeta(folder)
  const listed: Listed[] = []
  for (const path of files) {
    const found = readNow(path, options)
    if (found === undefined) continue // removed meanwhile
    const one = named(slim(found, options, shared), { path, names, meta, shared })
    if (tasks === undefined || tasks.includes(one.task)) listed.push(one)
  }
  return listed
}

interface Naming {
  readonly path: string
  readonly names: ResultFolder['names']
  readonly meta: MetaIdentity | undefined
  readonly shared: Sharer
}

/** The file with the names it belongs under, equal ones as one string. */
export function named(found: Found, { path, names, meta, shared }: Naming): Listed {
  const own = found.result?.strata
  const whose = {
    model: shared(own?.model ?? meta?.model ?? names.model.replaceAll('__', '/')),
    revision: shared(own?.revision ?? meta?.revision ?? names.revision),
    representation: shared(
      own?.representation ?? meta?.representation ?? names.representation ?? defaultRepresentation,
    ),
    task: shared(found.result?.task_name ?? basename(path, '.json')),
    parameters: meta?.parameters,
    width: meta?.width,
  }
  return found.result === undefined ? { path, fault: found.fault, ...whose } : { path, result: found.result, ...whose }
}

function slim(found: Found, { isWhole }: ParseOptions, shared: Sharer): Found {
  const { path, result } = found
  if (result === undefined || (isWhole?.(result.task_name) ?? true)) return found
  return { path, result: scoresAlone(result, shared) }
}

/** Undefined when the file does not exist. */
export function readResult(path: string, options: ParseOptions): Promise<Found | undefined> {
  return Promise.resolve(readNow(path, options))
}

/** At once: a hundred thousand small files take the thread pool ten times as long as the parser. */
function readNow(path: string, options: ParseOptions): Found | undefined {
  try {
    return { path, result: parseResult(readText(path), path, options) }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { path, fault: asFault(error, 'file.unreadable', path) }
  }
}

/** A file that names another task or model is not the requested result: two names may share a folder. */
function checked(found: Found, { model, revision, representation }: ResultPlace, task: string): Found {
  const { path, result } = found
  if (result === undefined) return found
  const { strata } = result
  const seen = [
    result.task_name,
    strata?.model ?? model,
    strata?.revision ?? revision,
    strata?.representation ?? representation,
  ]
  const wanted = [task, model, revision, representation]
  if (seen.every((name, i) => name === wanted[i])) return found
  return {
    path,
    fault: fault('result.invalid', {
      place: path,
      what: 'the file is the result of something else',
      seen: seen.join(' · '),
      wanted: wanted.join(' · '),
    }),
  }
}

function folders(path: string): string[] {
  return entriesOf(path, (entry) => entry.isDirectory() || entry.isSymbolicLink())
}

export function jsonFiles(folder: string): string[] {
  return entriesOf(folder, ({ name }) => name.endsWith('.json') && name !== metaFile && !name.startsWith('.')).map(
    (name) => join(folder, name),
  )
}

/** Sorted names; none where the folder cannot be read. */
function entriesOf(folder: string, isWanted: (entry: Dirent) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(isWanted)
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
