/**
 * Exact search by weights of words: the documents of a block become lists by column, which the columns of a query go
 * through. Products are summed in float32 in the order of the columns.
 */
import { type AskOptions, fault, type Searcher, type SearchRequest } from '#core'
import { type SparseRow, type SparseRows, unitRow } from './sparse-rows.ts'

export interface SparseSearch {
  readonly representation: string
  readonly similarity: 'dot' | 'cosine'
  readonly encode: (texts: readonly string[], options: AskOptions) => Promise<SparseRows>
  /** For messages. */
  readonly place: string
}

/** Documents of the first block, and of a later one at most. */
const firstDocuments = 2 ** 8
const mostDocuments = 2 ** 12
/** Weights that a block of documents may have: 128 MB with their columns. A block has at least one document. */
const mostWeights = 2 ** 24

/** Memory: the weights of the queries, and those of a block of documents twice, whatever the corpus. */
export function sparseSearcher({ representation, similarity, encode, place }: SparseSearch): Searcher {
  const read = async (texts: readonly string[], options: AskOptions): Promise<SparseRows> => {
    const { width, rows } = await encode(texts, options)
    return { width, rows: similarity === 'cosine' ? rows.map(unitRow) : rows }
  }
  return {
    representation,
    async search(request, onScores, options = {}) {
      const { signal, onProgress } = options
      const asked = await read(request.queries, { ...options, promptType: 'query', onProgress: undefined })
      const wanted = wantedDocuments(request)
      let [done, weights] = [0, 0]
      while (done < wanted.length) {
        if (signal?.aborted) throw fault('run.cancelled', { place, what: 'cancelled', cause: signal.reason })
        const indexes = wanted.subarray(done, done + roomFor(done, weights))
        const before = done
        const heard: AskOptions['onProgress'] = ({ done: texts }) =>
          onProgress?.({ stage: 'search', done: before + texts, total: wanted.length, unit: 'documents' })
        const block = await read(request.documents.at(indexes), {
          ...options,
          promptType: 'document',
          onProgress: heard,
        })
        weights += block.rows.reduce((sum, { columns }) => sum + columns.length, 0)
        reportScores(asked.rows, lists(block), { indexes, request }, onScores)
        done += indexes.length
        onProgress?.({ stage: 'search', done, total: wanted.length, unit: 'documents' })
      }
    },
  }
}

/** Documents of the next block, by the weights that those before it had. */
function roomFor(documents: number, weights: number): number {
  if (documents === 0) return firstDocuments
  const room = Math.floor((mostWeights * documents) / Math.max(1, weights))
  return Math.max(1, Math.min(mostDocuments, room))
}

/** All documents, or those that a query asks for, ascending. */
function wantedDocuments({ documents, askers }: SearchRequest): Uint32Array {
  if (askers === undefined) return Uint32Array.from({ length: documents.length }, (_, i) => i)
  return Uint32Array.from(askers.keys()).sort()
}

/** The documents of each column, and their weights in it. */
interface Lists {
  readonly documents: number
  /** First entry of each column, and the end of the last one. */
  readonly starts: Uint32Array
  readonly places: Uint32Array
  readonly weights: Float32Array
}

function lists({ width, rows }: SparseRows): Lists {
  const starts = new Uint32Array(width + 1)
  for (const { columns } of rows) for (let i = 0; i < columns.length; i++) starts[columns[i]! + 1]! += 1
  for (let column = 0; column < width; column++) starts[column + 1]! += starts[column]!
  const next = starts.slice()
  const places = new Uint32Array(starts[width]!)
  const weights = new Float32Array(places.length)
  rows.forEach((row, document) => {
    for (let i = 0; i < row.columns.length; i++) {
      const to = next[row.columns[i]!]!++
      places[to] = document
      weights[to] = row.weights[i]!
    }
  })
  return { documents: rows.length, starts, places, weights }
}

function scoreAll({ columns, weights }: SparseRow, index: Lists, out: Float32Array): void {
  out.fill(0)
  const { starts, places, weights: theirs } = index
  for (let i = 0; i < columns.length; i++) {
    const weight = weights[i]!
    const end = starts[columns[i]! + 1]!
    for (let at = starts[columns[i]!]!; at < end; at++) out[places[at]!]! += weight * theirs[at]!
  }
}

interface Block {
  readonly indexes: Uint32Array
  readonly request: SearchRequest
}

/** A block of the whole corpus is reported at once, documents that queries ask for one by one. */
function reportScores(
  queries: readonly SparseRow[],
  index: Lists,
  { indexes, request: { askers } }: Block,
  onScores: Parameters<Searcher['search']>[1],
): void {
  const scores = new Float32Array(index.documents)
  if (askers === undefined) {
    queries.forEach((query, at) => {
      scoreAll(query, index, scores)
      onScores(at, indexes[0]!, scores)
    })
    return
  }
  const asked = new Map<number, number[]>()
  indexes.forEach((document, place) => {
    for (const query of askers.get(document) ?? []) asked.set(query, [...(asked.get(query) ?? []), place])
  })
  for (const [query, places] of asked) {
    scoreAll(queries[query]!, index, scores)
    for (const place of places) onScores(query, indexes[place]!, scores.subarray(place, place + 1))
  }
}
