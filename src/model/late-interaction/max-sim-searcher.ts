/** Late interaction as a searcher: queries are held, documents pass the model in blocks and are forgotten. */
import { type AskOptions, matrix, type OnScores, type PromptType, type Searcher, type SearchRequest } from '#core'
import { maxSim, takeTexts, type TokenVectors } from './max-sim.ts'

/** Texts token by token. `Row`: a text as the model reads it. */
export interface TokenEncoder<Row extends { readonly ids: Int32Array }> {
  readonly width: number
  read(texts: readonly string[], side: PromptType, options: AskOptions): Promise<readonly Row[]>
  /** Vectors as they are compared. */
  encode(rows: readonly Row[], options: AskOptions): Promise<TokenVectors>
}

export interface MaxSimOptions {
  readonly representation: string
  /** Sums are divided by the number of the query's tokens. */
  readonly isMean?: boolean | undefined
  /** Numbers in the vectors of documents that are held at once: 128 MiB. */
  readonly blockNumbers?: number | undefined
}

/** Texts that are read together, so that those of one length meet. */
const pageTexts = 2 ** 12
/** Scores of a page. */
const pageScores = 2 ** 23

/** Every document passes the model once per search, in blocks that are bounded by the number of their tokens. */
export function maxSimSearcher<Row extends { readonly ids: Int32Array }>(
  encoder: TokenEncoder<Row>,
  { representation, isMean = false, blockNumbers = 2 ** 25 }: MaxSimOptions,
): Searcher {
  const blockTokens = Math.max(1, Math.floor(blockNumbers / encoder.width))
  return {
    representation,
    async search(request, onScores, options = {}) {
      const read = await encoder.read(request.queries, 'query', options)
      const queries = await encoder.encode(read, options)
      const divisors = isMean ? tokenCounts(queries) : undefined
      const report = reporter(onScores, divisors)
      const asked = request.askers === undefined ? undefined : [...request.askers.keys()].sort((a, b) => a - b)
      const count = asked?.length ?? request.documents.length
      const page = Math.max(1, Math.min(pageTexts, Math.floor(pageScores / Math.max(1, request.queries.length))))
      for (let from = 0; from < count; from += page) {
        const documents = Array.from({ length: Math.min(page, count - from) }, (_, i) => asked?.[from + i] ?? from + i)
        await searchPage({ encoder, queries, request, documents, blockTokens, report }, options, (done) =>
          options.onProgress?.({ stage: 'search', done: from + done, total: count, unit: 'documents' }),
        )
      }
    },
  }
}

interface Page<Row extends { readonly ids: Int32Array }> {
  readonly encoder: TokenEncoder<Row>
  readonly queries: TokenVectors
  readonly request: SearchRequest
  /** Ascending; without askers, neighbours. */
  readonly documents: readonly number[]
  readonly blockTokens: number
  readonly report: OnScores
}

async function searchPage<Row extends { readonly ids: Int32Array }>(
  { encoder, queries, request, documents, blockTokens, report }: Page<Row>,
  { task, signal }: AskOptions,
  heard: (done: number) => void,
): Promise<void> {
  const options = { task, signal }
  const rows = await encoder.read(request.documents.at(documents), 'document', options)
  const table = request.askers === undefined ? matrix(request.queries.length, documents.length) : undefined
  let done = 0
  for (const block of blocksOf(rows, blockTokens)) {
    signal?.throwIfAborted()
    const own = await encoder.encode(
      block.flatMap((at) => rows[at] ?? []),
      options,
    )
    if (table === undefined) {
      for (const [i, at] of block.entries())
        await reportAskers(queries, takeTexts(own, [i]), documents[at]!, { request, report })
    } else {
      const scores = await maxSim(queries, own)
      for (let query = 0; query < scores.rows; query++)
        block.forEach((at, i) => (table.data[query * table.width + at] = scores.data[query * scores.width + i]!))
    }
    heard((done += block.length))
  }
  if (table === undefined) return
  for (let query = 0; query < table.rows; query++)
    report(query, documents[0] ?? 0, table.data.subarray(query * table.width, (query + 1) * table.width))
}

/** One document for the queries that ask for it. */
async function reportAskers(
  queries: TokenVectors,
  document: TokenVectors,
  index: number,
  { request, report }: Pick<Page<{ ids: Int32Array }>, 'request' | 'report'>,
): Promise<void> {
  const askers = request.askers?.get(index) ?? []
  const { data } = await maxSim(takeTexts(queries, askers), document)
  askers.forEach((query, i) => report(query, index, data.subarray(i, i + 1)))
}

/** Indexes of rows by length, cut where a block has its tokens. */
function* blocksOf(rows: readonly { readonly ids: Int32Array }[], blockTokens: number): Generator<number[]> {
  const lengthOf = (at: number): number => rows[at]?.ids.length ?? 0
  const order = [...rows.keys()].sort((a, b) => lengthOf(b) - lengthOf(a) || a - b)
  let [block, tokens]: [number[], number] = [[], 0]
  for (const at of order) {
    if (block.length > 0 && tokens + lengthOf(at) > blockTokens) {
      yield block
      ;[block, tokens] = [[], 0]
    }
    block.push(at)
    tokens += lengthOf(at)
  }
  if (block.length > 0) yield block
}

function tokenCounts({ starts }: TokenVectors): Float64Array {
  return Float64Array.from({ length: starts.length - 1 }, (_, i) => Math.max(1, starts[i + 1]! - starts[i]!))
}

function reporter(onScores: OnScores, divisors: Float64Array | undefined): OnScores {
  if (divisors === undefined) return onScores
  return (query, start, scores) =>
    onScores(
      query,
      start,
      scores.map((score) => score / divisors[query]!),
    )
}
