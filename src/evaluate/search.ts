/** Exact search: every document against every query, in blocks, so that neither all vectors nor all scores are ever held. */
import { fault, matrix, type Matrix, row } from '../core/index.ts'
import { rowNorms, timesTransposed, unitRows } from '../linalg/index.ts'
import type { RetrievalPart } from '../tasks/index.ts'
import { type Context, embedFinite, type SimilarityName } from './part-scores.ts'
import { topDocuments, type TopDocuments } from './top-documents.ts'

/** Documents embedded at a time, mteb's chunk. */
const blockDocuments = 50_000
/** Scores held at a time: 64 MiB of float32. */
const blockScores = 2 ** 24

/** The best `depth` documents of every query, over the whole corpus or among its candidates. */
export async function searchCorpus(part: RetrievalPart, depth: number, context: Context): Promise<TopDocuments> {
  const { queries, corpus, candidates } = part
  const asked = prepared(await embedFinite(context, queries.texts, 'query'), context.similarity)
  const top = topDocuments(queries.ids.length, corpus.ids, depth)
  const askers = candidates === undefined ? undefined : queriesOfDocument(part, candidates, context)
  // of a corpus that is only partly asked about, only that part is encoded
  const wanted = askers === undefined ? undefined : [...askers.keys()].sort((a, b) => a - b)
  const count = wanted?.length ?? corpus.ids.length
  for (let start = 0; start < count; start += blockDocuments) {
    const indexes = Array.from({ length: Math.min(blockDocuments, count - start) }, (_, i) => wanted?.[start + i] ?? start + i)
    const vectors = prepared(
      await embedFinite(
        context,
        indexes.map((index) => corpus.texts[index]!),
        'document',
      ),
      context.similarity,
    )
    if (askers === undefined) await offerAll(asked, vectors, start, top, context)
    else
      indexes.forEach((document, i) =>
        askers.get(document)?.forEach((query) => top.offer(query, document, between(row(asked, query), row(vectors, i), context.similarity))),
      )
  }
  return top
}

async function offerAll(asked: Matrix, vectors: Matrix, start: number, top: TopDocuments, { similarity, signal, task }: Context): Promise<void> {
  const step = Math.max(1, Math.floor(blockScores / Math.max(1, asked.rows)))
  const norms = similarity === 'euclidean' ? { asked: rowNorms(asked), vectors: rowNorms(vectors) } : undefined
  for (let from = 0; from < vectors.rows; from += step) {
    if (signal?.aborted) throw fault('run.cancelled', { place: task.name, what: 'cancelled', cause: signal.reason })
    const rows = Math.min(step, vectors.rows - from)
    const block = matrix(rows, vectors.width, vectors.data.subarray(from * vectors.width, (from + rows) * vectors.width))
    const scores = await timesTransposed(asked, block)
    for (let query = 0; query < asked.rows; query++) {
      let floor = top.floor(query)
      for (let i = 0; i < rows; i++) {
        const product = scores[query * rows + i]!
        const score = norms === undefined ? product : -Math.sqrt(Math.max(0, norms.asked[query]! ** 2 + norms.vectors[from + i]! ** 2 - 2 * product))
        if (score < floor) continue
        top.offer(query, start + from + i, score)
        floor = top.floor(query)
      }
    }
  }
}

/** Cosine is the dot product of unit rows. */
function prepared(vectors: Matrix, similarity: SimilarityName): Matrix {
  return similarity === 'cosine' ? unitRows(vectors) : vectors
}

function between(a: Float32Array, b: Float32Array, similarity: SimilarityName): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += similarity === 'euclidean' ? (a[k]! - b[k]!) ** 2 : a[k]! * b[k]!
  return Math.fround(similarity === 'euclidean' ? -Math.sqrt(sum) : sum)
}

/** Document → queries that have it among their candidates. */
function queriesOfDocument({ queries, corpus }: RetrievalPart, candidates: ReadonlyMap<string, readonly string[]>, { task }: Context): Map<number, number[]> {
  const places = new Map(corpus.ids.map((id, i) => [id, i]))
  const askers = new Map<number, number[]>()
  queries.ids.forEach((id, query) => {
    for (const candidate of new Set(candidates.get(id))) {
      const document = places.get(candidate)
      if (document === undefined) throw fault('task.value', { place: `${task.name} › query ${id}`, what: 'a candidate is not in the corpus', seen: candidate })
      const known = askers.get(document)
      if (known) known.push(query)
      else askers.set(document, [query])
    }
  })
  return askers
}
