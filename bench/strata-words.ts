/**
 * Strata's turn in `bm25` and `sparse`: a corpus is taken in and searched, each document once.
 *
 *   strata-words.js --texts FILE [--model FOLDER]
 *
 * Without a model, BM25. The file holds `queries` and `documents`.
 */
import { readFileSync } from 'node:fs'
import { flag } from './lib/flags.ts'
import { openModel } from './lib/strata.ts'

const { queries, documents } = JSON.parse(readFileSync(flag('texts', ''), 'utf8')) as Record<string, string[]>
if (queries === undefined || documents === undefined) throw new Error('no queries, or no documents')
const model = await openModel(flag('model', 'bm25'))
const searcher = await model.searcher?.()
if (searcher === undefined) throw new Error('the model searches by vectors')

const started = performance.now()
const best = queries.map(() => 0)
await searcher.search(
  {
    queries,
    documents: { length: documents.length, at: (indexes) => Array.from(indexes, (i) => documents[i] ?? '') },
    languages: ['eng-Latn'],
  },
  (query, _start, scores) => (best[query] = scores.reduce((most, score) => Math.max(most, score), best[query] ?? 0)),
)
const seconds = (performance.now() - started) / 1000
await model.close()
console.log(JSON.stringify({ seconds, best: best.slice(0, 8) }))
