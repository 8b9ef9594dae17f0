/**
 * Minimal pairs as probing data, as Holmes has them: is a sentence the acceptable one of its pair? Both sentences of a
 * pair lie in one split. BLiMP: Warstadt et al. 2020, https://github.com/alexwarstadt/blimp (`<paradigm>.jsonl`);
 * Zorro: Huebner et al. 2021, https://github.com/phueb/Zorro (`<paradigm>.txt`, lines by turns unacceptable and
 * acceptable).
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, type RepoFiles } from '#core'
import { readColumns } from '#files/tables'
import type { ProbeDataSet } from './data-set.ts'
import { drawSplits } from './splits.ts'

export type PairSource = 'blimp' | 'zorro'

/** Sentences of a paradigm are capped as Holmes caps them. */
const mostPairs = 20_000

/** What Holmes's taxonomy calls BLiMP's terms, the first words of Zorro's names, and single data sets. */
const phenomena: Readonly<Record<string, readonly [subfield: string, phenomenon: string]>> = {
  anaphor_agreement: ['morphology', 'anaphor agreement'],
  determiner_noun_agreement: ['morphology', 'determiner noun agreement'],
  agreement_determiner_noun: ['morphology', 'determiner noun agreement'],
  irregular_forms: ['morphology', 'irregular forms'],
  irregular: ['morphology', 'irregular forms'],
  subject_verb_agreement: ['morphology', 'subject-verb agreement'],
  agreement_subject_verb: ['syntax', 'subject-verb agreement'],
  argument_structure: ['syntax', 'argument structure'],
  's-selection': ['syntax', 'argument structure'],
  binding: ['syntax', 'binding'],
  control_raising: ['syntax', 'control / raising'],
  ellipsis: ['syntax', 'ellipsis'],
  filler_gap_dependency: ['syntax', 'filler gap'],
  filler: ['syntax', 'filler gap'],
  island_effects: ['syntax', 'island effects'],
  island: ['syntax', 'island effects'],
  local_attractor: ['syntax', 'local attractor'],
  case: ['syntax', 'case'],
  npi_licensing: ['semantics', 'negative polarity item licensing'],
  quantifiers: ['semantics', 'quantifiers'],
  // the two collections are not sorted alike
  'zorro-anaphor_agreement': ['syntax', 'anaphor agreement'],
  'zorro-npi_licensing': ['syntax', 'negative polarity item licensing'],
  'blimp-only_npi_scope': ['syntax', 'negative polarity item licensing'],
  'blimp-sentential_negation_npi_scope': ['syntax', 'negative polarity item licensing'],
}

/** One paradigm's file; where it lies is asked when it is read. */
export interface PairFile {
  readonly paradigm: string
  readonly local: () => Promise<string>
  /** Default: by the name of the file; blobs of the hub's cache have none. */
  readonly format?: 'parquet' | undefined
}

const ending = /\.(jsonl|txt|parquet)(\.gz|\.zst)?$/

/** Files of paradigms in a folder, by name. Throws `file.missing` where there is none. */
export async function pairFiles(folder: string, source: PairSource): Promise<PairFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fault('file.missing', { place: folder, what: 'the folder cannot be read', cause })
  })
  const found = names.filter((name) => ending.test(name)).sort((a, b) => (a < b ? -1 : 1))
  if (found.length === 0)
    throw fault('file.missing', {
      place: folder,
      what: `no files of ${source} in it`,
      wanted: '<paradigm>.jsonl, or Zorro’s <paradigm>.txt',
    })
  return found.map((name) => ({ paradigm: name.replace(ending, ''), local: async () => join(folder, name) }))
}

/** The paradigms of a repository that has a folder of parquet each, as the hub's `nyu-mll/blimp`. */
export async function pairRepoFiles(files: RepoFiles): Promise<PairFile[]> {
  const found = (await files.list()).flatMap((path) => {
    const [, paradigm] = /^(?:data\/)?([^/]+)\/train[^/]*\.parquet$/.exec(path) ?? []
    return paradigm === undefined ? [] : [{ paradigm, local: () => files.local(path), format: 'parquet' as const }]
  })
  if (found.length === 0)
    throw fault('file.missing', { place: files.name, what: 'no paradigm in it', wanted: '<paradigm>/train-*.parquet' })
  return found.sort((a, b) => (a.paradigm < b.paradigm ? -1 : 1))
}

export async function buildPairs({ paradigm, local, format }: PairFile, source: PairSource): Promise<ProbeDataSet> {
  const path = await local()
  const { pairs, term } = path.endsWith('.txt')
    ? { pairs: await linePairs(path), term: undefined }
    : await tablePairs(path, format)
  if (pairs.length === 0) throw fault('table.empty', { place: path, what: 'no pairs in it' })
  const splits = drawSplits(pairs.length)
  const instances = pairs.slice(0, mostPairs).flatMap(([bad, good], pair) =>
    [bad, good].map((text, label) => ({
      id: String(2 * pair + label),
      inputs: [{ text }],
      contexts: [],
      label,
      split: splits[pair] ?? ('train' as const),
    })),
  )
  const [subfield, phenomenon] = placeOf(`${source}-${paradigm}`, term ?? paradigm)
  return {
    name: `${source}-${paradigm}`,
    taskType: 'SENTENCE',
    classes: 2,
    labels: ['unacceptable', 'acceptable'],
    instances,
    subfield,
    phenomenon,
  }
}

type Pair = readonly [bad: string, good: string]

async function tablePairs(
  path: string,
  format: PairFile['format'],
): Promise<{ pairs: Pair[]; term: string | undefined }> {
  const { columns, rows } = await readColumns([path], {
    columns: ['sentence_bad', 'sentence_good'],
    optional: ['linguistics_term'],
    format,
    place: path,
  })
  const text = (name: string, row: number): string => {
    const value = columns[name]?.[row]
    if (typeof value === 'string') return value
    throw fault('table.read', { place: `${path} › row ${row + 1} › ${name}`, what: 'not a text', seen: value })
  }
  const term = columns['linguistics_term']?.[0]
  return {
    pairs: Array.from({ length: rows }, (_, row) => [text('sentence_bad', row), text('sentence_good', row)] as const),
    term: typeof term === 'string' ? term : undefined,
  }
}

async function linePairs(path: string): Promise<Pair[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  if (lines.length % 2 === 1)
    throw fault('table.read', { place: path, what: 'the last sentence has no partner', seen: `${lines.length} lines` })
  return Array.from({ length: lines.length / 2 }, (_, i) => [lines[2 * i] ?? '', lines[2 * i + 1] ?? ''] as const)
}

/** By the data set's own name, otherwise by its term: the longest known one that it begins with. */
function placeOf(...terms: readonly string[]): readonly [subfield: string | undefined, phenomenon: string] {
  for (const term of terms) {
    const [known] = Object.keys(phenomena)
      .filter((name) => term === name || term.startsWith(`${name}-`) || term.startsWith(`${name}_`))
      .sort((a, b) => b.length - a.length)
    const place = phenomena[known ?? '']
    if (place !== undefined) return place
  }
  return [undefined, terms.at(-1) ?? '']
}
