/**
 * How fast words are counted and searched: Strata and bm25s on SciFact, where its texts are at hand, and on a made-up
 * corpus; index and search in one figure.
 *
 *   node bench/run.mjs bm25 [--rounds 3] [--documents 200000] [--backend numpy|numba] [--python PATH]
 *
 * `--python` has bm25s 0.3.16 and PyStemmer, and numba for `--backend numba`, which is compiled within the time.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { flag } from './lib/flags.ts'
import { shared } from './lib/places.ts'
import { machine, writeResult } from './lib/report.ts'
import { compareWords, madeCorpus, type WordsCase, wordsTable } from './lib/words.ts'

const rounds = Number(flag('rounds', '3'))
const backend = flag('backend', 'numpy')
const made = madeCorpus(Number(flag('documents', '200000')))
/** Texts of shared/data/scifact, titles before the text as mteb joins them. */
function readRows(file: string): string[] {
  const text = gunzipSync(readFileSync(join(shared ?? '', 'data', 'scifact', file))).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { title = '', text: body } = JSON.parse(line) as { title?: string; text: string }
      return `${title} ${body}`.trim()
    })
}

const cases: WordsCase[] = [
  ...(shared === undefined
    ? []
    : [{ name: 'SciFact', queries: readRows('queries.jsonl.gz'), documents: readRows('corpus.jsonl.gz') }]),
  { name: 'made', queries: madeCorpus(300, 7).map((text) => text.split(' ').slice(0, 12).join(' ')), documents: made },
]
const rows = []
for (const one of cases) rows.push(await compareWords(one, { peer: 'bm25s', rounds, peerArgs: ['--backend', backend] }))
console.log(wordsTable(rows, 'bm25s'))
if (flag('record', 'yes') === 'yes') writeResult('bm25', { machine: await machine(), rounds, backend, rows })
