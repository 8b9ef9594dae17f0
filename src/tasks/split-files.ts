/** Which file of a data-set repository belongs to which split when nobody says so: the naming rules of Hugging Face datasets (data_files.py). */
import { compareCodePoints } from '../core/index.ts'

const keywords = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'dev', 'val'],
  test: ['test', 'testing', 'eval', 'evaluation'],
} as const

const extensions = /\.(jsonl|ndjson|json|csv|tsv|parquet)(\.(gz|zst))?$/i
const notRows = /(^|\/)(dataset_infos?|dataset_dict|state|data_infos|config|metadata|croissant)\.json$/i

/** Files that can hold rows; hidden ones and descriptions are left out. */
export function rowFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => extensions.test(path) && !notRows.test(path) && !/(^|\/)(\.|__)/.test(path)).sort(compareCodePoints)
}

/** Split → files: by exported shard names, else by folder names, else by file names; when no name tells, everything is `train`. */
export function splitsByName(paths: readonly string[]): Map<string, string[]> {
  const files = rowFiles(paths)
  return sharded(files) ?? byKeyword(files, folderHas) ?? byKeyword(files, nameHas) ?? new Map(files.length > 0 ? [['train', files]] : [])
}

/** `data/<split>-00000-of-00002…` */
function sharded(files: readonly string[]): Map<string, string[]> | undefined {
  const splits = new Map<string, string[]>()
  for (const path of files) {
    const split = /^data\/(\w+(?:\.\w+)*)-\d{5}-of-\d{5}[^/]*\.[^/]*$/.exec(path)?.[1]
    if (split !== undefined) splits.set(split, [...(splits.get(split) ?? []), path])
  }
  return splits.size > 0 ? splits : undefined
}

function byKeyword(files: readonly string[], has: (path: string, keyword: string) => boolean): Map<string, string[]> | undefined {
  const splits = new Map<string, string[]>()
  for (const [split, words] of Object.entries(keywords)) {
    const own = files.filter((path) => words.some((word) => has(path, word)))
    if (own.length > 0) splits.set(split, own)
  }
  return splits.size > 0 ? splits : undefined
}

function folderHas(path: string, keyword: string): boolean {
  return new RegExp(`(^|[-._ 0-9/])${keyword}([-._ 0-9][^/]*)?/`).test(path)
}

function nameHas(path: string, keyword: string): boolean {
  return new RegExp(`(^|[-._ 0-9/])${keyword}[-._ 0-9][^/]*$`).test(path)
}
