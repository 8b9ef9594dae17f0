/**
 * The same texts for every program: STSBenchmark test, Banking77 test and the SciFact corpus; without the shared data,
 * the carried tasks.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { carried, scratchFolder, shared } from './places.ts'

type Row = Record<string, unknown>

interface Source {
  readonly name: string
  readonly path: string
  readonly texts: (row: Row) => string[]
}

/** SciFact documents are title and text with a blank between, as mteb joins them. */
const document = (row: Row): string[] => [
  [row['title'], row['text']].filter((part) => typeof part === 'string' && part !== '').join(' '),
]
const pair = (row: Row): string[] => [String(row['sentence1']), String(row['sentence2'])]
const sentence = (row: Row): string[] => [String(row['text'])]

function sources(): Source[] {
  if (shared !== undefined) {
    return [
      { name: 'STSBenchmark', path: join(shared, 'data/stsbenchmark/test.jsonl.gz'), texts: pair },
      { name: 'Banking77', path: join(shared, 'data/banking77/test.jsonl.gz'), texts: sentence },
      { name: 'SciFact', path: join(shared, 'data/scifact/corpus.jsonl.gz'), texts: document },
    ]
  }
  return [
    {
      name: 'STS17',
      path: join(
        carried,
        'datasets--mteb--sts17-crosslingual-sts/snapshots/faeb762787bd10488a50c8b5be4a3b82e411949c/en-en/test.jsonl.gz',
      ),
      texts: pair,
    },
    {
      name: 'Banking77',
      path: join(carried, 'datasets--mteb--banking77/snapshots/0fd18e25b25c072e09e0d92ab615fda904d66300/test.jsonl.gz'),
      texts: sentence,
    },
    {
      name: 'XQuAD',
      path: join(
        carried,
        'datasets--mteb--XQuADRetrieval/snapshots/194842d6a49baddf6cd3f4d5130ab3c7756268d2/en/corpus.jsonl.gz',
      ),
      texts: document,
    },
  ]
}

export type TextSets = Readonly<Record<string, readonly string[]>>

/**
 * At most `limit` texts a set, `documents` of a corpus, taken at even distances so that short and long ones stay in
 * proportion.
 */
export function readTexts({
  limit = Infinity,
  documents = limit,
}: { limit?: number; documents?: number } = {}): TextSets {
  return Object.fromEntries(
    sources().map(({ name, path, texts }) => {
      const most = texts === document ? documents : limit
      const rows = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean)
      const all = rows.flatMap((line) => texts(JSON.parse(line) as Row))
      const step = Math.max(1, all.length / most)
      return [name, Array.from({ length: Math.min(all.length, most) }, (_, i) => all[Math.floor(i * step)] ?? '')]
    }),
  )
}

/** The sets as one JSON file that every program reads. */
export function writeTexts(sets: TextSets): string {
  const path = join(scratchFolder('input'), 'texts.json')
  writeFileSync(path, JSON.stringify(sets))
  return path
}

/**
 * MASSIVE's utterances in these locales, one after the other; beyond their number they come again with a number in
 * front. Needs the shared data.
 */
export function utterances(count: number, locales: readonly string[]): string[] {
  if (shared === undefined) throw new Error('needs STRATA_SHARED')
  const folder = join(shared, 'data', 'massive')
  const all = locales.flatMap((locale) =>
    ['train', 'validation', 'test'].flatMap((split) => {
      const rows = gunzipSync(readFileSync(join(folder, locale, `${split}.jsonl.gz`)))
        .toString('utf8')
        .split('\n')
        .filter(Boolean)
      return rows.map((line) => String((JSON.parse(line) as Row)['text']))
    }),
  )
  return Array.from({ length: count }, (_, i) => {
    const text = all[i % all.length] ?? ''
    return i < all.length ? text : `${Math.floor(i / all.length)} ${text}`
  })
}
