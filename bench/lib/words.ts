/** Searches by words, Strata and a peer in turn on the same corpus: seconds from texts to the best scores. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest, median, type Turn } from './contest.ts'
import { flag } from './flags.ts'
import { peers, python, scratchFolder } from './places.ts'
import { table } from './report.ts'

export interface WordsCase {
  readonly name: string
  readonly queries: readonly string[]
  readonly documents: readonly string[]
  /** A folder that both read; undefined: BM25. */
  readonly model?: string | undefined
}

export interface WordsRow {
  readonly name: string
  readonly documents: number
  readonly strata: number
  readonly peer: number
  readonly peakMiB: readonly number[]
  /** Largest relative difference of the best scores. */
  readonly difference: number
}

export async function compareWords(
  { name, queries, documents, model }: WordsCase,
  {
    peer,
    rounds,
    peerArgs = [],
  }: { readonly peer: string; readonly rounds: number; readonly peerArgs?: readonly string[] },
): Promise<WordsRow> {
  const file = join(scratchFolder('words'), `${name.replace(/\W+/g, '-')}.json`)
  writeFileSync(file, JSON.stringify({ queries, documents }))
  const asked = ['--texts', file, ...(model === undefined ? [] : ['--model', model])]
  const turns = await contest(
    [
      {
        name: 'strata',
        command: process.execPath,
        args: [join(import.meta.dirname, '..', 'strata-words.js'), ...asked],
      },
      { name: peer, command: flag('python', python), args: [join(peers, 'python', 'words.py'), ...asked, ...peerArgs] },
    ],
    rounds,
    (program, round, turn) =>
      console.log(`${name}, round ${round + 1}, ${program}: ${String(turn.report['seconds'])} s`),
  )
  const [own = [], theirs = []] = [turns['strata'], turns[peer]]
  const seconds = (list: readonly Turn[]): number => median(list.map(({ report }) => Number(report['seconds'])))
  return {
    name,
    documents: documents.length,
    strata: seconds(own),
    peer: seconds(theirs),
    peakMiB: [own, theirs].map((list) => median(list.map(({ peakMiB }) => peakMiB))),
    difference: difference(own[0], theirs[0]),
  }
}

/** A line per corpus, with the ratio of the times. */
export function wordsTable(rows: readonly WordsRow[], peer: string): string {
  return table([
    ['texts', 'count', 'strata s', `${peer} s`, 'ratio', 'MiB', `MiB ${peer}`, 'difference'],
    ...rows.map((row) => [
      row.name,
      row.documents,
      row.strata,
      row.peer,
      row.peer / row.strata,
      row.peakMiB[0] ?? NaN,
      row.peakMiB[1] ?? NaN,
      row.difference,
    ]),
  ])
}

function difference(own: Turn | undefined, theirs: Turn | undefined): number {
  const best = (turn: Turn | undefined): number[] => (turn?.report['best'] ?? []) as number[]
  return Math.max(...best(own).map((score, i) => Math.abs(score - (best(theirs)[i] ?? NaN)) / Math.max(1, score)))
}

const vocabulary = 50_000

/** A made-up corpus: words by Zipf's law, the one of rank r about 1/r as often as the first; 20 to 120 per document. */
export function madeCorpus(documents: number, seed = 1): string[] {
  let state = seed
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const word = (): string => `w${Math.floor(vocabulary ** next()).toString(36)}x`
  return Array.from({ length: documents }, () => Array.from({ length: 20 + Math.floor(100 * next()) }, word).join(' '))
}
