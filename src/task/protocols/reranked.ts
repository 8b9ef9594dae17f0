/** Documents of a query in the order of a reranker (mteb `SearchCrossEncoderWrapper`, `convert_to_reranking`). */
import { fault } from '#core'
import { type RetrievalPart, textsAt } from '#task/rows'
import type { Context, Reranking } from './part-scores.ts'
import { queriesOfDocument, type Rankings } from './search.ts'
import { topDocuments } from './top-documents.ts'

/** Pairs whose texts are held at a time. */
const blockPairs = 2 ** 13

interface Pairs {
  readonly queries: number[]
  readonly documents: number[]
}

/**
 * What a search found, its first `top` documents in the order of their scores by the reranker; the rest is left out. A
 * task's own candidates where nothing was searched. Throws `task.unsupported` for a task without them.
 */
export async function reranked(
  part: RetrievalPart,
  found: Rankings | undefined,
  context: Context & { readonly reranking: Reranking },
): Promise<Rankings> {
  const { task, asking, onProgress, reranking } = context
  const pairs = found === undefined ? candidatePairs(part, context) : foundPairs(part, found, reranking.top)
  const { queries, corpus } = part
  const depth = Math.max(1, longestRun(pairs.queries, queries.ids.length))
  const top = topDocuments(queries.ids.length, corpus.ids, depth)
  const total = pairs.queries.length
  for (let start = 0; start < total; start += blockPairs) {
    const asked = pairs.queries.slice(start, start + blockPairs)
    const documents = pairs.documents.slice(start, start + blockPairs)
    const texts = textsAt(corpus.texts, documents)
    const scores = await reranking.reranker.score(
      asked.map((query, i) => [queries.texts[query] ?? '', texts[i] ?? ''] as const),
      {
        ...asking,
        promptType: undefined,
        onProgress: ({ done }) => onProgress?.({ stage: 'rerank', done: start + done, total, unit: 'pairs' }),
      },
    )
    asked.forEach((query, i) => {
      const score = scores[i] ?? NaN
      if (!Number.isFinite(score))
        throw fault('task.value', {
          place: task.name,
          what: 'the score of a pair is not finite',
          seen: (queries.texts[query] ?? '').slice(0, 80),
        })
      top.offer(query, documents[i]!, score)
    })
  }
  return top
}

function foundPairs({ queries }: RetrievalPart, found: Rankings, top: number | undefined): Pairs {
  const pairs: Pairs = { queries: [], documents: [] }
  queries.ids.forEach((_, query) => {
    for (const document of found.ranking(query).documents.subarray(0, top)) {
      pairs.queries.push(query)
      pairs.documents.push(document)
    }
  })
  return pairs
}

function candidatePairs(part: RetrievalPart, { task }: Context): Pairs {
  const { candidates } = part
  if (candidates === undefined)
    throw fault('task.unsupported', {
      place: `${task.name} › ${part.subset} › ${part.split}`,
      what: 'a reranker scores pairs, and the task has no candidates to put in order',
      hint: 'let another model search: strata evaluate bm25 --rerank MODEL --top 100',
    })
  const pairs: Pairs = { queries: [], documents: [] }
  for (const [document, queries] of queriesOfDocument(part, candidates, task))
    for (const query of queries) {
      pairs.queries.push(query)
      pairs.documents.push(document)
    }
  return pairs
}

function longestRun(queries: readonly number[], count: number): number {
  const counts = new Uint32Array(count)
  for (const query of queries) counts[query]!++
  return counts.reduce((most, own) => Math.max(most, own), 0)
}
