/**
 * Files as Python's `load_dataset` is given them: `json`, `csv`, `parquet` or `text` with `data_files`, or files that
 * are picked from a repository.
 */
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fault, type RepoFiles } from '#core'
import { record } from './class-names.ts'
import { configGiven, type DatasetConfig, type FileReading, readingGiven } from './dataset-layout.ts'
import { globMatcher, isGlob } from './glob.ts'
import { localFiles, ownLayout } from './local-files.ts'
import type { Dataset, OpenDataset } from './opened-dataset.ts'
import { matchingFiles, splitsByName } from './split-files.ts'

/** Arguments of `load_dataset` besides the path and the name. */
export type LoadArguments = Readonly<Record<string, unknown>>

const builders = ['json', 'csv', 'parquet', 'text'] as const
export type Builder = (typeof builders)[number]

const filesKeys = ['data_files', 'data_dir']
/** Keys of csv that say how fields are separated; json has `field`. */
const readingKeys = ['sep', 'delimiter', 'quotechar', 'quoting', 'skiprows', 'names', 'column_names', 'header', 'field']

/** The builder that a path names instead of a repository. */
export function findBuilder(path: string): Builder | undefined {
  return builders.find((name) => name === path)
}

/** Throws `task.unsupported` for an argument that is not known here: it could change the rows. */
export function checkArguments(given: LoadArguments, place: string): void {
  const { encoding = 'utf-8', ...others } = given
  const odd = Object.keys(others).find((key) => !filesKeys.includes(key) && !readingKeys.includes(key))
  if (odd !== undefined || !/^utf-?8$/i.test(String(encoding)))
    throw fault('task.unsupported', {
      place,
      what: 'an argument of Python’s load_dataset that is not known here',
      seen: odd ?? `encoding: ${String(encoding)}`,
      wanted: [...filesKeys, ...readingKeys],
    })
}

export function namesFiles(given: LoadArguments): boolean {
  return filesKeys.some((key) => given[key] !== undefined && given[key] !== null)
}

/** A repository's files as one config, where some are picked. Throws `task.split` for one that is not there. */
export async function pickFiles(dataset: Dataset, given: LoadArguments): Promise<DatasetConfig> {
  const config = configGiven({ ...given }, await dataset.files.list(), dataset.place)
  return { ...config, classLabels: dataset.layout.standard?.classLabels ?? new Map() }
}

/**
 * Files of this machine, relative to the working folder, or of repositories (`hf://datasets/org/name/file`), as one data
 * set; its revision is a hash of their bytes. Throws `task.split` for a file or a pattern that stands for nothing,
 * `task.unsupported` for addresses of the web.
 */
export async function openFiles(
  builder: Builder,
  given: LoadArguments,
  { openDataset, place }: { readonly openDataset: OpenDataset; readonly place: string },
): Promise<Dataset> {
  const { data_files: named, data_dir: folder } = given
  const base = resolve(typeof folder === 'string' ? expanded(folder) : '.')
  const paths = new Map<string, string>()
  const find = async (pattern: string): Promise<string[]> => {
    const found = pattern.startsWith(remote)
      ? await remoteFiles(pattern, openDataset, place)
      : await filesHere(pattern, base, place)
    for (const [name, path] of found) paths.set(name, path)
    return found.map(([name]) => name)
  }
  const splits = new Map<string, string[]>()
  for (const [split, patterns] of splitPatterns(named, place))
    splits.set(split, (await Promise.all(patterns.map(find))).flat())
  if (splits.size === 0 && typeof folder === 'string')
    for (const [split, names] of splitsByName(await filesBelow(base)))
      splits.set(split, (await Promise.all(names.map(find))).flat())
  if (splits.size === 0)
    throw fault('task.split', {
      place,
      what: `the data of ${builder} names no files`,
      wanted: 'data_files: a path, a list of paths, or a map of split → paths',
    })
  const config: DatasetConfig = { name: 'default', splits, classLabels: new Map(), reading: readingOf(builder, given) }
  const files = await localFiles(place, ownLayout([config]), { locate: (name) => paths.get(name) ?? name })
  return { files, layout: ownLayout([config]), revision: files.revision, place }
}

function readingOf(builder: Builder, given: LoadArguments): FileReading {
  const reading = readingGiven({ ...given })
  // whatever a file is called: the comma separates unless another character is named
  if (builder === 'csv') return { ...reading, dialect: { separator: ',', ...reading?.dialect }, format: 'csv' }
  return { ...reading, format: builder === 'json' ? 'jsonl' : builder }
}

/** Split → paths; without splits everything is `train`. */
function splitPatterns(named: unknown, place: string): [string, string[]][] {
  const texts = (value: unknown): string[] => {
    const all = Array.isArray(value) ? value : [value]
    if (all.length > 0 && all.every((one) => typeof one === 'string')) return all
    throw fault('task.split', {
      place,
      what: 'data_files are not paths',
      seen: value,
      wanted: 'a path, a list of paths, or a map of split → paths',
    })
  }
  if (named === undefined || named === null) return []
  if (typeof named === 'string' || Array.isArray(named)) return [['train', texts(named)]]
  return Object.entries(record(named)).map(([split, patterns]) => [split, texts(patterns)])
}

/** Name in the layout, and path on this machine. */
type Found = readonly [string, string]

async function filesHere(pattern: string, base: string, place: string): Promise<Found[]> {
  if (/^\w[\w+.-]+:\/\//.test(pattern))
    throw fault('task.unsupported', {
      place,
      what: 'a data file lies on the web',
      seen: pattern,
      hint: 'download it, and name its path in data_files',
    })
  const path = resolve(base, expanded(pattern))
  const facts = await stat(path).catch(() => undefined)
  if (facts?.isFile() === true) return [[path, path]]
  const found = isGlob(pattern) ? await matchesHere(path) : []
  if (found.length > 0) return found.map((one) => [one, one])
  throw fault('task.split', {
    place,
    what: facts?.isDirectory() === true ? 'a data file is a folder' : 'a data file is not there',
    seen: pattern,
    wanted: `a file below ${base}`,
    hint: 'paths in data_files are relative to the folder in which the command runs',
  })
}

async function matchesHere(path: string): Promise<string[]> {
  const parts = path.split('/')
  const fixed = parts.slice(0, parts.findIndex(isGlob)).join('/') || '/'
  const fits = globMatcher(path)
  return (await filesBelow(fixed)).map((name) => join(fixed, name)).filter(fits)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, ''))
    .sort()
}

const remote = 'hf://datasets/'

async function remoteFiles(pattern: string, openDataset: OpenDataset, place: string): Promise<Found[]> {
  const [, path = '', revision = 'main', inside = ''] =
    /^hf:\/\/datasets\/([^/@]+\/[^/@]+)(?:@([^/]+))?\/(.+)$/.exec(pattern) ?? []
  const files: RepoFiles | undefined = path === '' ? undefined : await openDataset(path, revision)
  const all = (await files?.list()) ?? []
  const names = all.includes(inside) ? [inside] : matchingFiles(inside, all)
  if (files === undefined || names.length === 0)
    throw fault('task.split', { place, what: 'a data file is not in its repository', seen: pattern })
  return Promise.all(names.map(async (name): Promise<Found> => [`${remote}${path}/${name}`, await files.local(name)]))
}

/** `~` as a shell has it. */
function expanded(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path
}
