/**
 * Strata's turn in `search`: the search of its retrieval tasks, on vectors that are read from a file block by block.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { flag } from './lib/flags.ts'
import { findTasks, openTensors, searchCorpus } from './lib/strata.ts'

const depth = Number(flag('depth', '1000'))
const started = performance.now()
const [queries, corpus] = [await openRows(flag('queries', '')), await openRows(flag('corpus', ''))]
const task = (await findTasks(['SciFact'])).tasks[0]
if (task === undefined) throw new Error('no task SciFact')
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))
// a text is the number of its row; searches ask for runs of rows
const part = {
  split: 'test',
  subset: 'default',
  languages: [],
  queries: { ids: numbers(queries.rows), texts: numbers(queries.rows) },
  corpus: { ids: numbers(corpus.rows), texts: numbers(corpus.rows) },
  qrels: new Map(),
}
const loadSeconds = (performance.now() - started) / 1000
const searching = performance.now()
const top = await searchCorpus(part, depth, {
  profile: 'mteb-2',
  similarity: 'cosine',
  kmeans: 'A',
  task,
  signal: undefined,
  embed: async (texts, side) => (side === 'query' ? queries : corpus).read(Number(texts[0]), texts.length),
})
const best = part.queries.ids.map((_, query) => top.ranking(query))
const seconds = (performance.now() - searching) / 1000
queries.close()
corpus.close()
console.log(
  JSON.stringify({
    loadSeconds,
    searchSeconds: seconds,
    found: best.map(({ documents }) => documents.length),
    ids: best.map(({ documents }) => [...documents.subarray(0, 10)]),
    scores: best.map(({ scores }) => [...scores.subarray(0, 10)]),
  }),
)

interface Rows {
  readonly rows: number
  read(from: number, count: number): { rows: number; width: number; data: Float32Array }
  close(): void
}

/** A .npy file of float32 in one piece. */
async function openRows(path: string): Promise<Rows> {
  const source = await openTensors(path)
  const name = source.names()[0] ?? ''
  const [info, location] = [source.info(name), source.locate(name)]
  const [rows, width] = info?.shape ?? []
  if (info?.dtype !== 'F32' || location === undefined || rows === undefined || width === undefined)
    throw new Error(`${path} is no float32 matrix in one piece`)
  await source.close()
  const file = openSync(path, 'r')
  return {
    rows,
    read: (from, count) => {
      const data = new Float32Array(count * width)
      if (readSync(file, data, 0, data.byteLength, location.offset + from * width * 4) !== data.byteLength)
        throw new Error(`${path} is too short`)
      return { rows: count, width, data }
    },
    close: () => closeSync(file),
  }
}
