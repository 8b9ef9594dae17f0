/**
 * Strata's turn in `search`: the search of its retrieval tasks, on vectors that are read from a file block by block.
 * Then the least that a search takes: the file read once more, and the same products alone.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { flag } from './lib/flags.ts'
import { findTasks, openMatmul, openTensors, searchCorpus } from './lib/strata.ts'

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
const searching = clock()
const top = await searchCorpus(part, depth, {
  profile: 'mteb-2',
  similarity: 'cosine',
  kmeans: 'A',
  task,
  signal: undefined,
  embed: async (texts, side) => (side === 'query' ? queries : corpus).read(Number(texts[0]), texts.length),
})
const best = part.queries.ids.map((_, query) => top.ranking(query))
const search = searching()
const least = await alone()
queries.close()
corpus.close()
console.log(
  JSON.stringify({
    loadSeconds,
    searchSeconds: search.seconds,
    searchCpuSeconds: search.cpuSeconds,
    leastSeconds: least.seconds,
    leastCpuSeconds: least.cpuSeconds,
    found: best.map(({ documents }) => documents.length),
    ids: best.map(({ documents }) => [...documents.subarray(0, 10)]),
    scores: best.map(({ scores }) => [...scores.subarray(0, 10)]),
  }),
)

interface Spent {
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds: number
}

function clock(): () => Spent {
  const [used, begun] = [process.cpuUsage(), performance.now()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 }
  }
}

/** Reading in large pieces, then products of the size that is the fastest. */
async function alone(): Promise<Spent> {
  const kernels = openMatmul()
  const [piece, part] = [2 ** 15, 2 ** 11]
  const asked = queries.read(0, queries.rows)
  const into = new Float32Array(queries.rows * part)
  await kernels.matmul(asked, corpus.read(0, Math.min(part, corpus.rows)), { transposeB: true, dtype: 'float32' })
  const running = clock()
  for (let from = 0; from < corpus.rows; from += piece) corpus.read(from, Math.min(piece, corpus.rows - from))
  const some = corpus.read(0, Math.min(part, corpus.rows))
  for (let from = 0; from + part <= corpus.rows; from += part)
    await kernels.matmul(asked, some, { transposeB: true, dtype: 'float32', into })
  const spent = running()
  await kernels.close()
  return spent
}

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
  let memory = new Float32Array(0)
  return {
    rows,
    // a search is done with one block before it asks for the next
    read: (from, count) => {
      if (memory.length < count * width) memory = new Float32Array(count * width)
      const data = memory.subarray(0, count * width)
      if (readSync(file, data, 0, data.byteLength, location.offset + from * width * 4) !== data.byteLength)
        throw new Error(`${path} is too short`)
      return { rows: count, width, data }
    },
    close: () => closeSync(file),
  }
}
