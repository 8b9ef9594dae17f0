/** Configs and splits of a data-set repository, from the YAML head of its README, else from its file names. */
import { compareCodePoints, fault, type RepoFiles, suggestion } from '../core/index.ts'
import { frontMatter } from './front-matter.ts'
import { globMatcher, isGlob } from './glob.ts'
import { rowFiles, splitsByName } from './split-files.ts'

export interface DatasetConfig {
  readonly name: string
  /** Split → files, in reading order. */
  readonly splits: ReadonlyMap<string, readonly string[]>
  /** Columns declared as class labels → their names: the numbers in them are positions in that list. */
  readonly classLabels: ReadonlyMap<string, readonly string[]>
  /** Name a task knows → column of the files, where a user says so. */
  readonly names?: ReadonlyMap<string, string>
  /** Rows remember their files and lines, for messages. */
  readonly traced?: boolean
}

export interface DatasetLayout {
  readonly configs: ReadonlyMap<string, DatasetConfig>
  /** What is read when no config is named: `default`, the one marked so, or the only one. */
  readonly standard: DatasetConfig | undefined
}

const readmeLimit = 8 * 2 ** 20

export async function readLayout(files: RepoFiles): Promise<DatasetLayout> {
  const paths = await files.list()
  const head = paths.includes('README.md') ? record(frontMatter(await files.text('README.md', readmeLimit), `${files.name} › README.md`)) : {}
  const labels = classLabels(head['dataset_info'])
  const declared = list(head['configs']).map(record)
  const configs = new Map<string, DatasetConfig>()
  let marked: string | undefined
  for (const entry of declared) {
    const name = nameOf(entry)
    if (entry['default'] === true) marked = name
    configs.set(name, { name, splits: declaredSplits(entry, paths, files.name), classLabels: labels.get(name) ?? new Map() })
  }
  if (configs.size === 0) configs.set('default', { name: 'default', splits: splitsByName(paths), classLabels: labels.get('default') ?? new Map() })
  const only = configs.size === 1 ? [...configs.values()][0] : undefined
  return { configs, standard: configs.get('default') ?? (marked === undefined ? undefined : configs.get(marked)) ?? only }
}

/** A config by name; throws `task.subset` with what there is. */
export function configNamed({ configs }: DatasetLayout, name: string, place: string): DatasetConfig {
  const config = configs.get(name)
  if (config === undefined) throw fault('task.subset', { place, what: `the data set has no config ${name}`, hint: suggestion(name, [...configs.keys()]) })
  return config
}

/** Files of a split; throws `task.split` with what there is. */
export function splitFiles({ name, splits }: DatasetConfig, split: string, place: string): readonly string[] {
  const files = splits.get(split)
  if (files !== undefined && files.length > 0) return files
  throw fault('task.split', {
    place: `${place} › ${name}`,
    what: files === undefined ? `no split ${split}` : `no file belongs to the split ${split}`,
    seen: [...splits.keys()],
  })
}

function declaredSplits(entry: Record<string, unknown>, paths: readonly string[], place: string): Map<string, string[]> {
  const folder = typeof entry['data_dir'] === 'string' ? entry['data_dir'].replace(/^\.?\/+|\/+$/g, '') : ''
  const inside = (pattern: string): string => (folder === '' ? pattern : `${folder}/${pattern}`)
  const splits = new Map<string, string[]>()
  const add = (split: string, patterns: unknown): void => {
    const found = list(patterns).flatMap((pattern) => (typeof pattern === 'string' ? matching(inside(pattern.replace(/^\.\//, '')), paths, place) : []))
    splits.set(split, [...new Set([...(splits.get(split) ?? []), ...found])])
  }
  const files = entry['data_files']
  if (files === undefined || files === null) {
    const own = folder === '' ? paths : paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
    return new Map([...splitsByName(own)].map(([split, names]) => [split, names.map(inside)]))
  }
  for (const item of list(files)) {
    if (typeof item === 'string') add('train', item)
    else if (typeof record(item)['split'] === 'string') add(record(item)['split'] as string, record(item)['path'])
    else for (const [split, patterns] of Object.entries(record(item))) add(split, patterns)
  }
  return splits
}

function matching(pattern: string, paths: readonly string[], place: string): string[] {
  if (paths.includes(pattern)) return [pattern]
  // a folder stands for the files in it
  const folder = rowFiles(paths.filter((path) => path.startsWith(`${pattern.replace(/\/+$/, '')}/`)))
  if (folder.length > 0) return folder
  if (!isGlob(pattern)) throw fault('task.split', { place, what: 'a file that the README names is not there', seen: pattern })
  return paths.filter(globMatcher(pattern)).sort(compareCodePoints)
}

/** Config → columns whose type is `class_label` → their names. */
function classLabels(info: unknown): Map<string, Map<string, string[]>> {
  const found = new Map<string, Map<string, string[]>>()
  for (const entry of list(info).map(record)) {
    const features = list(entry['features']).map(record)
    const columns = features.flatMap(({ name, dtype }) => {
      const declared = record(dtype)
      return typeof name === 'string' && 'class_label' in declared ? [[name, classNames(record(declared['class_label'])['names'])] as const] : []
    })
    found.set(nameOf(entry), new Map(columns))
  }
  return found
}

/** Names as a list, or as the hub writes them: an object from positions to names. */
function classNames(names: unknown): string[] {
  const own = Array.isArray(names)
    ? names
    : Object.entries(record(names))
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, name]) => name)
  return own.map(String)
}

function nameOf({ config_name: name }: Record<string, unknown>): string {
  return typeof name === 'string' || typeof name === 'number' ? String(name) : 'default'
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
