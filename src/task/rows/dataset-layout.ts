/**
 * Configs and splits of a data-set repository: from the YAML head of its README (or .huggingface.yaml), otherwise from
 * its file names.
 */
import { fault, type RepoFiles, suggestion, bracketNearest } from '#core'
import { frontMatter, parseJson, parseYaml } from '#files/formats'
import type { CsvDialect } from '#files/tables'
import { type ClassNames, list, namesInHead, namesInJson, record } from './class-names.ts'
import { isGlob } from './glob.ts'
import { matchingFiles, rowFiles, splitsByName } from './split-files.ts'

export interface DatasetConfig {
  readonly name: string
  /** Split → files, in reading order. */
  readonly splits: ReadonlyMap<string, readonly string[]>
  /** Columns declared as class labels → their names: the numbers in them are positions in that list. */
  readonly classLabels: ClassNames
  /** Somebody says what the columns are, class labels or not: what parquet files say of them no longer counts. */
  readonly described?: boolean | undefined
  /** How its files differ from the usual. */
  readonly reading?: FileReading | undefined
  /** Name a task knows → column of the files, where a user says so. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Rows remember their files and lines, for messages. */
  readonly traced?: boolean | undefined
}

export interface FileReading {
  readonly dialect?: CsvDialect
  /** Key of a JSON document under which its rows lie. */
  readonly field?: string
  /** What its files are, whatever their names say. */
  readonly format?: 'jsonl' | 'csv' | 'parquet' | 'text'
}

export interface DatasetLayout {
  readonly configs: ReadonlyMap<string, DatasetConfig>
  /** The config read when none is named: `default`, the one marked so, or the only one. */
  readonly standard: DatasetConfig | undefined
  /** The repository itself names its configs. */
  readonly declared?: boolean
}

const headLimit = 8 * 2 ** 20

export async function readLayout(files: RepoFiles): Promise<DatasetLayout> {
  const paths = await files.list()
  const head = await readHead(files, paths)
  const labels = await declaredLabels(files, paths, head['dataset_info'])
  const describing = (name: string): Pick<DatasetConfig, 'classLabels' | 'described'> => {
    const own = labels.get(name)
    return own === undefined ? { classLabels: new Map() } : { classLabels: own, described: true }
  }
  const configs = new Map<string, DatasetConfig>()
  let marked: string | undefined
  for (const entry of list(head['configs']).map(record)) {
    const name = nameOf(entry)
    if (entry['default'] === true) marked = name
    configs.set(name, {
      name,
      splits: declaredSplits(entry, paths, files.name),
      ...describing(name),
      reading: readingGiven(entry),
    })
  }
  const declared = configs.size > 0
  if (!declared) configs.set('default', { name: 'default', splits: splitsByName(paths), ...describing('default') })
  const only = configs.size === 1 ? [...configs.values()][0] : undefined
  return {
    configs,
    declared,
    standard: configs.get('default') ?? (marked === undefined ? undefined : configs.get(marked)) ?? only,
  }
}

/** Whether any split has a file that rows can be read from. */
export function holdsRowFiles({ configs }: DatasetLayout): boolean {
  return [...configs.values()].some(({ splits }) => [...splits.values()].some((files) => rowFiles(files).length > 0))
}

/**
 * The branch to which the hub converts data sets: `<config>/<split>/0000.parquet`, earlier `<config>/<data
 * set>-<split>-00000-of-00001.parquet`.
 */
export function exportLayout(paths: readonly string[]): DatasetLayout {
  const configs = new Map<string, Map<string, string[]>>()
  for (const path of [...paths].sort()) {
    const [, config, folder, file = ''] = /^([^/]+)\/(?:(?:partial-)?([^/]+)\/)?([^/]+)\.parquet$/.exec(path) ?? []
    const split = folder ?? /(?:^|-)([\w.]+?)(?:-\d{5}-of-\d{5})?$/.exec(file)?.[1]
    if (config === undefined || split === undefined) continue
    const splits = configs.get(config) ?? new Map<string, string[]>()
    splits.set(split, [...(splits.get(split) ?? []), path])
    configs.set(config, splits)
  }
  const all = new Map(
    [...configs].map(([name, splits]) => [name, { name, splits, classLabels: new Map<string, string[]>() }]),
  )
  return { configs: all, standard: all.get('default') ?? (all.size === 1 ? [...all.values()][0] : undefined) }
}

/** A config by name; throws `task.subset` with what there is. */
export function configNamed({ configs }: DatasetLayout, name: string, place: string): DatasetConfig {
  const config = configs.get(name)
  if (config === undefined)
    throw fault('task.subset', {
      place,
      what: `the data set has no config ${name}`,
      hint: suggestion(name, [...configs.keys()]),
    })
  return config
}

/** Files of a split; throws `task.split` with what there is. */
export function splitFiles({ name, splits }: DatasetConfig, split: string, place: string): readonly string[] {
  const files = splits.get(split)
  if (files !== undefined && files.length > 0) return files
  throw fault('task.split', {
    place: `${place} › ${name}`,
    what:
      files === undefined
        ? `no split ${split}${bracketNearest(split, splits.keys())}`
        : `no file belongs to the split ${split}`,
    seen: [...splits.keys()],
  })
}

/** A config that is made of `data_files`, `data_dir` and how they are read. Throws `task.split`. */
export function configGiven(entry: Record<string, unknown>, paths: readonly string[], place: string): DatasetConfig {
  return {
    name: 'default',
    splits: declaredSplits(entry, paths, place),
    classLabels: new Map(),
    reading: readingGiven(entry),
  }
}

async function readHead(files: RepoFiles, paths: readonly string[]): Promise<Record<string, unknown>> {
  const own = '.huggingface.yaml'
  const head = paths.includes('README.md')
    ? record(frontMatter(await files.text('README.md', headLimit), `${files.name} › README.md`))
    : {}
  return paths.includes(own)
    ? { ...head, ...record(parseYaml(await files.text(own, headLimit), `${files.name} › ${own}`)) }
    : head
}

/** Config → its class labels, for configs whose columns are described. */
async function declaredLabels(
  files: RepoFiles,
  paths: readonly string[],
  info: unknown,
): Promise<Map<string, ClassNames>> {
  const found = new Map<string, ClassNames>()
  const old = 'dataset_infos.json'
  if (paths.includes(old)) {
    const entries = Object.entries(record(parseJson(await files.text(old, headLimit), `${files.name} › ${old}`)))
    for (const [name, entry] of entries)
      found.set(entries.length === 1 ? 'default' : name, namesInJson(record(entry)['features']))
  }
  for (const entry of list(info).map(record))
    if (entry['features'] !== undefined) found.set(nameOf(entry), namesInHead(entry['features']))
  return found
}

/** What a config says about its files, under the names of pandas and of Hugging Face datasets. */
export function readingGiven(entry: Record<string, unknown>): FileReading | undefined {
  const {
    field,
    sep,
    delimiter = sep,
    quotechar,
    quoting,
    skiprows,
    names,
    column_names: columnNames = names,
    header,
  } = entry
  const dialect: CsvDialect = {
    ...(typeof delimiter === 'string' ? { separator: delimiter === '\\t' ? '\t' : delimiter } : {}),
    ...(typeof quotechar === 'string' ? { quote: quotechar } : {}),
    // csv.QUOTE_NONE of Python
    ...(quoting === 3 ? { quote: null } : {}),
    ...(typeof skiprows === 'number' ? { skip: skiprows } : {}),
    ...(Array.isArray(columnNames) ? { names: columnNames.map(String), header: header === 0 } : {}),
  }
  const reading = {
    ...(typeof field === 'string' ? { field } : {}),
    ...(Object.keys(dialect).length > 0 ? { dialect } : {}),
  }
  return Object.keys(reading).length > 0 ? reading : undefined
}

function declaredSplits(
  entry: Record<string, unknown>,
  paths: readonly string[],
  place: string,
): Map<string, string[]> {
  const folder = typeof entry['data_dir'] === 'string' ? entry['data_dir'].replace(/^\.?\/+|\/+$/g, '') : ''
  const inside = (pattern: string): string => (folder === '' ? pattern : `${folder}/${pattern}`)
  const splits = new Map<string, string[]>()
  const add = (split: string, patterns: unknown): void => {
    const found = list(patterns).flatMap((pattern) =>
      typeof pattern === 'string' ? matching(inside(pattern.replace(/^\.\//, '')), paths, place) : [],
    )
    splits.set(split, [...(splits.get(split) ?? []), ...found])
  }
  const files = entry['data_files']
  if (files === undefined || files === null) {
    const own =
      folder === ''
        ? paths
        : paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
    return new Map([...splitsByName(own)].map(([split, names]) => [split, names.map(inside)]))
  }
  for (const item of list(files)) {
    if (typeof item === 'string') add('train', item)
    else if (typeof record(item)['split'] === 'string') add(record(item)['split'] as string, record(item)['path'])
    else for (const [split, patterns] of Object.entries(record(item))) add(split, patterns)
  }
  return splits
}

/** A file that two patterns match is read twice, as the reference does. */
function matching(pattern: string, paths: readonly string[], place: string): string[] {
  if (paths.includes(pattern)) return [pattern]
  if (isGlob(pattern)) return matchingFiles(pattern, paths)
  // a folder stands for the files in it
  const folder = matchingFiles(`${pattern.replace(/\/+$/, '')}/**`, paths)
  if (folder.length > 0) return folder
  throw fault('task.split', { place, what: 'a file that the README names is not there', seen: pattern })
}

function nameOf({ config_name: name }: Record<string, unknown>): string {
  return typeof name === 'string' || typeof name === 'number' ? String(name) : 'default'
}
