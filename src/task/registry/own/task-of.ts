/** A checked task of a task file → the task, and how its data set is opened. */
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { fault, findEntry, keyName } from '#core'
import { openRepo } from '#files/hub'
import {
  type DatasetFiles,
  type DatasetConfig,
  type DatasetLayout,
  exportLayout,
  readLayout,
  parquetBranch,
  readers,
  type TaskStep,
  type Protocol,
  type TaskInfo,
  type TaskParams,
  type PluginProtocol,
  protocolTable,
  localFiles,
  ownConfig,
  ownLayout,
} from '#task/rows'
import { defaultParams } from '../registry.ts'
import { beirFolder } from './beir-folder.ts'
import { ownKinds, ownOptions, type RetrievalTable, retrievalTables } from './kinds.ts'
import type { OwnData, Splits, Tables, TaskText } from './schema.ts'

export interface Found {
  readonly task: TaskInfo
  /** Undefined for a repository of the hub, which is opened like any other. */
  readonly files: (() => Promise<DatasetFiles>) | undefined
}

export interface Origin {
  /** The task file: paths in it count from its folder. */
  readonly file: string
  /** What the task names as its data set. */
  readonly path: string
  /** Where a value stands, `file:line:column`. */
  readonly at: (keys: readonly PropertyKey[]) => string
}

interface Data {
  readonly dataset: TaskInfo['dataset']
  readonly files: Found['files']
  /** Splits there are; undefined when only the data set knows. */
  readonly splits: readonly string[] | undefined
  readonly subsets: readonly string[]
}

export async function taskOf(text: TaskText, origin: Origin): Promise<Found> {
  const kind = ownKinds[text.type as keyof typeof ownKinds]
  const protocol = text.protocol ?? kind.protocols[0]
  const reader = readers[protocol]
  const params: TaskParams = { ...defaultParams, ...optionsOf(text, protocol) }
  const { dataset, files, splits, subsets } =
    protocol === 'AbsTaskRetrieval' ? await tableData(text, origin) : await rowData(text, origin)
  const languages = text.languages ?? []
  const scorer = findScorer(text, protocol, origin)
  return {
    task: {
      name: text.name,
      type: text.type,
      protocol,
      dataset,
      aliases: [],
      splits: text.splits ?? evaluatedSplits(splits, protocol, params),
      subsets: Object.fromEntries(
        subsets.map((subset) => [subset, isList(languages) ? languages : (languages[subset] ?? [])]),
      ),
      columns: {
        ...reader.columns(params as unknown as Record<string, unknown>),
        ...(protocol === 'AbsTaskRetrieval' ? {} : (text.columns as Record<string, string> | undefined)),
      },
      mainScore: text.main_score ?? scorer?.mainScore ?? kind.mainScore,
      ...(scorer === undefined ? {} : { scorer: keyName(scorer) }),
      params,
      prompt: text.prompt,
      domains: text.domains ?? [],
      licence: text.licence ?? 'not specified',
      steps: (text.steps ?? []) as unknown as readonly TaskStep[],
    },
    files,
  }
}

/** Throws `usage.value` for a name that no plug-in has given, and for a protocol of other rows. */
function findScorer({ scorer, type }: TaskText, protocol: Protocol, origin: Origin): PluginProtocol | undefined {
  if (scorer === undefined) return undefined
  const found = findEntry(protocolTable, scorer, origin.at(['scorer']))
  if (found.rows === protocol) return found
  throw fault('usage.value', {
    place: origin.at(['scorer']),
    what: `${scorer} scores rows of another protocol than those of ${type}`,
    seen: protocol,
    wanted: found.rows,
  })
}

function optionsOf(text: TaskText, protocol: Protocol): Partial<TaskParams> {
  return Object.fromEntries(
    Object.keys(ownOptions[protocol]).flatMap((name) => (text[name] === undefined ? [] : [[name, text[name]]])),
  )
}

/** All splits but the one that is trained on; `test` when only the data set knows which there are. */
function evaluatedSplits(
  splits: readonly string[] | undefined,
  protocol: Protocol,
  { train_split: train }: TaskParams,
): readonly string[] {
  const trains = protocol === 'AbsTaskRetrieval' || 'train_split' in ownOptions[protocol]
  const others = splits?.filter((name) => !trains || name !== train) ?? []
  return others.length > 0 ? others : ['test']
}

/** Rows of one table. */
async function rowData({ data, splits: asked }: TaskText, origin: Origin): Promise<Data> {
  if (typeof data === 'string') {
    const path = inFolderOf(origin.file, data)
    const facts = await stat(path).catch(() => undefined)
    if (facts?.isDirectory()) return folderData(path, origin)
    return fileData(new Map([['default', { [asked?.[0] ?? 'test']: data }]]), () => [], origin)
  }
  if (isRepository(data)) return repositoryData(data, origin)
  const subsets = isBySubset(data)
    ? new Map(Object.entries(data.subsets as Record<string, Splits>))
    : new Map([['default', data as Splits]])
  return fileData(subsets, (subset, split) => (isBySubset(data) ? ['subsets', subset, split] : [split]), origin)
}

async function fileData(
  subsets: ReadonlyMap<string, Splits>,
  keysOf: (subset: string, split: string) => readonly string[],
  origin: Origin,
): Promise<Data> {
  const places = new Map<string, readonly PropertyKey[]>()
  const configs = [...subsets].map(([subset, splits]) =>
    ownConfig(
      subset,
      filesBySplit(splits, (split) => ['data', ...keysOf(subset, split)], places),
    ),
  )
  const files = await filesOf(configs, places, origin)
  const splits = [...new Set([...subsets.values()].flatMap((own) => Object.keys(own)))]
  return {
    dataset: { path: origin.path, revision: files.revision },
    files: () => Promise.resolve(files),
    splits,
    subsets: [...subsets.keys()],
  }
}

/** Corpus, queries, judgements and what goes with them. */
async function tableData(text: TaskText, origin: Origin): Promise<Data> {
  const { data } = text
  const names = columnNames(text)
  if (typeof data === 'string') {
    const path = inFolderOf(origin.file, data)
    const facts = await stat(path).catch(() => undefined)
    if (!facts?.isDirectory())
      throw fault('file.missing', {
        place: origin.at(['data']),
        what: 'a retrieval task is a folder or several files',
        seen: data,
      })
    const beir = await beirFolder(path, names)
    if (beir === undefined) return folderData(path, origin, names)
    return {
      dataset: { path: origin.path, revision: beir.files.revision },
      files: () => Promise.resolve(beir.files),
      splits: beir.splits.filter((name) => name !== 'train'),
      subsets: ['default'],
    }
  }
  if (isRepository(data)) return repositoryData(data, origin, names)
  const subsets = isBySubset(data)
    ? new Map(Object.entries(data.subsets as Record<string, Tables>))
    : new Map([['default', data as Tables]])
  const places = new Map<string, readonly PropertyKey[]>()
  const configs = [...subsets].flatMap(([subset, tables]) =>
    Object.entries(tables).map(([table, own]) => {
      const keys = isBySubset(data) ? ['data', 'subsets', subset, table] : ['data', table]
      const plain = table === 'qrels' && subset === 'default' ? 'default' : table
      const splits = typeof own === 'string' || isList(own) ? { [table === 'qrels' ? 'test' : table]: own } : own
      return ownConfig(
        subset === 'default' ? plain : `${subset}-${table}`,
        filesBySplit(splits, (split) => (splits === own ? [...keys, split] : keys), places),
        names.get(table),
      )
    }),
  )
  const files = await filesOf(configs, places, origin)
  const judged = [...subsets.values()].flatMap(({ qrels }) =>
    typeof qrels === 'string' || qrels === undefined || isList(qrels) ? ['test'] : Object.keys(qrels),
  )
  return {
    dataset: { path: origin.path, revision: files.revision },
    files: () => Promise.resolve(files),
    splits: [...new Set(judged)],
    subsets: [...subsets.keys()],
  }
}

/** Table → name the reader knows → column of the files. */
function columnNames({ columns = {} }: TaskText): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>()
  for (const [table, own] of Object.entries(columns)) {
    if (typeof own === 'string') continue
    const known: Readonly<Record<string, readonly string[]>> = retrievalTables[table as RetrievalTable]
    found.set(
      table,
      new Map(
        Object.entries(own).flatMap(([name, column]) => (known[name] ?? []).map((one) => [one, column] as const)),
      ),
    )
  }
  return found
}

/** Files of every split; `places` gets where each stands in the task file. */
function filesBySplit(
  splits: Splits,
  keysOf: (split: string) => readonly string[],
  places: Map<string, readonly PropertyKey[]>,
): Map<string, readonly string[]> {
  return new Map(
    Object.entries(splits).map(([split, files]): [string, readonly string[]] => {
      const paths = typeof files === 'string' ? [files] : files
      paths.forEach((path, i) => places.set(path, typeof files === 'string' ? keysOf(split) : [...keysOf(split), i]))
      return [split, paths]
    }),
  )
}

function filesOf(
  configs: readonly DatasetConfig[],
  places: ReadonlyMap<string, readonly PropertyKey[]>,
  { file, at }: Origin,
): ReturnType<typeof localFiles> {
  return localFiles(file, ownLayout(configs), {
    locate: (path) => inFolderOf(file, path),
    missing: (path) => at(places.get(path) ?? ['data']),
  })
}

/**
 * A folder that is laid out like a repository of the hub: a README with configs, or file names that show the splits.
 */
async function folderData(
  path: string,
  origin: Origin,
  names: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(),
  config?: string,
): Promise<Data> {
  const layout = withNames(await readLayout(await openRepo({ kind: 'folder', path })), names)
  const files = await localFiles(path, layout, { locate: (own) => join(path, own), missing: () => origin.at(['data']) })
  return {
    dataset: { path: origin.path, revision: files.revision, config },
    files: () => Promise.resolve(files),
    splits: undefined,
    subsets: ['default'],
  }
}

async function repositoryData(
  { repo, revision = 'main', config }: Extract<OwnData, { repo: string }>,
  origin: Origin,
  names: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(),
): Promise<Data> {
  if (/^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(repo)) return folderData(inFolderOf(origin.file, repo), origin, names, config)
  // a branch moves: results are of a commit
  const open = (at: string) => openRepo(`${repo}@${at}`, { type: 'dataset' })
  const commit = /^[0-9a-f]{40}$/.test(revision) ? revision : ((await open(revision)).revision ?? revision)
  return {
    dataset: { path: repo, revision: commit, config },
    files:
      names.size === 0 && revision !== parquetBranch
        ? undefined
        : async () => {
            const files = await open(commit)
            const layout = revision === parquetBranch ? exportLayout(await files.list()) : await readLayout(files)
            return { ...files, layout: withNames(layout, names) }
          },
    splits: undefined,
    subsets: ['default'],
  }
}

/**
 * The layout of a retrieval data set with a user's column names: configs are recognized by their names, `en-corpus`
 * like `corpus`.
 */
function withNames(layout: DatasetLayout, names: ReadonlyMap<string, ReadonlyMap<string, string>>): DatasetLayout {
  const tables: Readonly<Record<string, string>> = { default: 'qrels', query: 'queries' }
  const tableOf = (config: string): string =>
    (Object.hasOwn(tables, config) ? tables[config] : undefined) ?? config.slice(config.lastIndexOf('-') + 1)
  const named = (config: DatasetConfig): DatasetConfig => ({
    ...config,
    names: names.get(tableOf(config.name)) ?? config.names,
  })
  return {
    configs: new Map([...layout.configs].map(([name, config]) => [name, named(config)])),
    standard: layout.standard === undefined ? undefined : named(layout.standard),
  }
}

function inFolderOf(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path)
}

function isRepository(data: OwnData): data is Extract<OwnData, { repo: string }> {
  return typeof data === 'object' && typeof (data as { repo?: unknown }).repo === 'string'
}

function isBySubset(data: OwnData): data is Extract<OwnData, { subsets: unknown }> {
  const { subsets } = data as { subsets?: unknown }
  return typeof subsets === 'object' && subsets !== null && !Array.isArray(subsets)
}

function isList<Item>(value: readonly Item[] | object | string): value is readonly Item[] {
  return Array.isArray(value)
}
