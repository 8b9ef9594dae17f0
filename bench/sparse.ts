/**
 * How fast a sparse model encodes and searches: Strata and sentence-transformers' SparseEncoder on one folder.
 *
 *   node bench/run.mjs sparse [--model FOLDER] [--rounds 3] [--limit 500] [--python PATH]
 *
 * Without `--model`, a seeded SPLADE of MiniLM's size. `--python` has sentence-transformers 6.2.
 */
import { flag } from './lib/flags.ts'
import { makeSparseModel } from './lib/made-sparse.ts'
import { scratchFolder } from './lib/places.ts'
import { machine, writeResult } from './lib/report.ts'
import { readTexts } from './lib/texts.ts'
import { compareWords, wordsTable } from './lib/words.ts'

const rounds = Number(flag('rounds', '3'))
const limit = Number(flag('limit', '500'))
const given = flag('model', '')
const model = given === '' ? scratchFolder('sparse', 'model') : given
if (given === '') makeSparseModel(model)
const rows = []
for (const [name, documents] of Object.entries(readTexts({ limit, documents: limit })))
  rows.push(
    await compareWords(
      { name, queries: documents.slice(0, 50), documents, model },
      { peer: 'sentence-transformers', rounds },
    ),
  )
console.log(wordsTable(rows, 'SparseEncoder'))
if (flag('record', 'yes') === 'yes')
  writeResult('sparse', { machine: await machine(), rounds, model: given === '' ? 'seeded' : given, rows })
