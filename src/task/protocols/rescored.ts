/**
 * Search over packed bits with float queries: the nearest by Hamming distance first, then the best of them in the order
 * of the query before it was coded · the document's bits (sentence-transformers `semantic_search_faiss`, `rescore`).
 */
import { type Matrix, row } from '#core'
import { type RetrievalPart, textsAt } from '#task/rows'
import { type Context, embedFinite, finite } from './part-scores.ts'
import { type Rankings, searchCorpus } from './search.ts'

/** Candidates whose vectors are held at a time. */
const blockCandidates = 2 ** 15

/**
 * The best `depth` documents of every query. Those behind the rescored ones keep the order of their distance, with scores
 * below them.
 */
export async function searchRescored(
  part: RetrievalPart,
  depth: number,
  context: Context,
  { candidates, embed }: NonNullable<Context['rescore']>,
): Promise<Rankings> {
  const top = await searchCorpus(part, depth, {
    ...context,
    similarity: 'dot',
    embed: async (...given) => signs(await context.embed(...given)),
  })
  const { texts } = part.queries
  const asked = finite(await embed(texts), texts, context.task)
  const rankings: ReturnType<Rankings['ranking']>[] = []
  const step = Math.max(1, Math.floor(blockCandidates / candidates))
  for (let from = 0; from < texts.length; from += step) {
    const queries = Array.from({ length: Math.min(step, texts.length - from) }, (_, i) => from + i)
    const lists = queries.map((query) => top.ranking(query))
    const wanted = [...new Set(lists.flatMap(({ documents }) => [...documents.subarray(0, candidates)]))]
    const bits = await embedFinite(context, textsAt(part.corpus.texts, Uint32Array.from(wanted)), 'document')
    const places = new Map(wanted.map((document, at) => [document, at]))
    queries.forEach((query, i) => {
      const { documents = new Int32Array(0), scores = new Float32Array(0) } = lists[i] ?? {}
      const again = Float32Array.from(documents.subarray(0, candidates), (document) =>
        dot(row(asked, query), row(bits, places.get(document) ?? 0)),
      )
      rankings.push(reordered({ documents, scores }, again))
    })
  }
  return { ranking: (query) => rankings[query] ?? { documents: new Int32Array(0), scores: new Float32Array(0) } }
}

/** Equal scores keep the order of the distance. */
function reordered(
  { documents, scores }: ReturnType<Rankings['ranking']>,
  again: Float32Array,
): ReturnType<Rankings['ranking']> {
  const order = Uint32Array.from(again.keys()).sort((a, b) => again[b]! - again[a]! || a - b)
  const least = Math.min(...again)
  const first = again.length
  return {
    documents: documents.map((document, at) => (at < first ? documents[order[at]!]! : document)),
    scores: scores.map((score, at) => (at < first ? again[order[at]!]! : least - 1 + score - scores[first]!)),
  }
}

/** Zeros and ones as −1 and 1, whose dot product is the width minus twice the Hamming distance: exact whole numbers. */
function signs(bits: Matrix): Matrix {
  return { ...bits, data: bits.data.map((bit) => 2 * bit - 1) }
}

function dot(a: Float32Array, b: Matrix['data']): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!
  return sum
}
