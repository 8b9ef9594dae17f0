/**
 * Which file of a data-set repository belongs to which split when nobody says so: the patterns of Hugging Face datasets
 * (data_files.py), in its order.
 */
import { compareCodePoints } from '#core'
import { globMatcher } from './glob.ts'

const keywords: Readonly<Record<string, readonly string[]>> = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'dev', 'val'],
  test: ['test', 'testing', 'eval', 'evaluation'],
}
const standardSplits = Object.keys(keywords)
/** Characters allowed next to a keyword. */
const separator = '[-._ 0-9]'

const table = /\.(jsonl|ndjson|json|csv|tsv|parquet)(\.(gz|gzip|zst|zstd))?$/i
const archive = /\.zip$/i
const ignored = [
  'README.md',
  'config.json',
  'dataset_info.json',
  'dataset_infos.json',
  'dummy_data.zip',
  'dataset_dict.json',
]

/** Files that can hold rows, archives of them too; hidden ones and descriptions are left out. */
export function rowFiles(paths: readonly string[]): string[] {
  return paths
    .filter((path) => holdsRows(path) && !ignored.includes(baseName(path)) && !/(^|\/)\./.test(path))
    .sort(compareCodePoints)
}

export function isArchive(path: string): boolean {
  return archive.test(path)
}

/**
 * Row files that a pattern stands for, by path; a file with a hidden or special part (`.x`, `__x/`) only when the
 * pattern names that part.
 */
export function matchingFiles(pattern: string, paths: readonly string[]): string[] {
  const matches = globMatcher(pattern)
  return paths
    .filter((path) => {
      const name = baseName(path)
      if (!holdsRows(path) || (ignored.includes(name) && name !== baseName(pattern))) return false
      return hidden(path) === hidden(pattern) && special(path) === special(pattern) && matches(path)
    })
    .sort(compareCodePoints)
}

/**
 * Split → files: by exported shard names (`data/<split>-00000-of-00001…`), then by folder names, then by file names;
 * otherwise everything is `train`. A file that two patterns of a split match is read twice, as the reference does. Only
 * the most frequent of several formats counts.
 */
export function splitsByName(paths: readonly string[]): Map<string, string[]> {
  const files = rowFiles(paths)
  const named = sharded(files) ?? byPatterns(files, folderPatterns) ?? byPatterns(files, filePatterns)
  const all = matchingFiles('**', paths)
  return oneFormat(named ?? new Map(all.length > 0 ? [['train', all]] : []))
}

function sharded(files: readonly string[]): Map<string, string[]> | undefined {
  const splits = new Map<string, string[]>()
  for (const path of matchingFiles('data/*-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]*.*', files)) {
    const split = /^data\/(\w+(?:\.\w+)*)-\d{5}-of-\d{5}[^/]*\.[^/]*$/.exec(path)?.[1]
    if (split !== undefined) splits.set(split, [...(splits.get(split) ?? []), path])
  }
  const rank = (split: string): number =>
    standardSplits.includes(split) ? standardSplits.indexOf(split) : standardSplits.length
  return splits.size === 0
    ? undefined
    : new Map([...splits].sort(([a], [b]) => rank(a) - rank(b) || compareCodePoints(a, b)))
}

function folderPatterns(word: string): string[] {
  return [
    `**/${word}/**`,
    `**/${word}${separator}*/**`,
    `**/*${separator}${word}/**`,
    `**/*${separator}${word}${separator}*/**`,
  ]
}

function filePatterns(word: string): string[] {
  return [`**/${word}${separator}*`, `**/*${separator}${word}${separator}*`]
}

function byPatterns(
  files: readonly string[],
  patternsOf: (word: string) => readonly string[],
): Map<string, string[]> | undefined {
  const splits = new Map<string, string[]>()
  for (const [split, words] of Object.entries(keywords)) {
    const own = words.flatMap((word) => {
      const candidates = files.filter((path) => path.includes(word))
      return candidates.length === 0 ? [] : patternsOf(word).flatMap((pattern) => matchingFiles(pattern, candidates))
    })
    if (own.length > 0) splits.set(split, own)
  }
  return splits.size > 0 ? splits : undefined
}

const kinds: Readonly<Record<string, string>> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  parquet: 'parquet',
  zip: 'zip',
}
/** The first of equally frequent endings wins. */
const preference = ['parquet', 'jsonl', 'json', 'csv', 'zip', 'tsv', 'ndjson']

/** Each split's most frequent kind of file, and archives, whatever is in them. */
function oneFormat(splits: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map(
    [...splits].map(([split, files]) => {
      const counts = new Map<string, number>()
      for (const path of files) for (const ending of endings(path)) counts.set(ending, (counts.get(ending) ?? 0) + 1)
      const [most] = [...counts.keys()].sort(
        (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || preference.indexOf(a) - preference.indexOf(b),
      )
      const kind = kinds[most ?? '']
      return [
        split,
        kind === 'zip'
          ? [...files]
          : files.filter((path) => endings(path).some((ending) => kinds[ending] === kind || ending === 'zip')),
      ]
    }),
  )
}

function endings(path: string): string[] {
  return baseName(path)
    .split('.')
    .slice(1)
    .map((ending) => ending.toLowerCase())
    .filter((ending) => Object.hasOwn(kinds, ending))
}

function holdsRows(path: string): boolean {
  return table.test(path) || archive.test(path)
}

function hidden(path: string): number {
  return path.split('/').filter((part) => part.startsWith('.') && !/^\.+$/.test(part)).length
}

function special(path: string): number {
  return path
    .split('/')
    .slice(0, -1)
    .filter((part) => part.startsWith('__')).length
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
