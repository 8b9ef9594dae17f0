/** Search by a model's own searcher: counted words, vectors of tokens, weights of words. */
import { fault } from '#core'
import { type RetrievalPart, textsAt } from '#task/rows'
import type { Context } from './part-scores.ts'
import { queriesOfDocument, barredDocuments, type Rankings } from './search.ts'
import { topDocuments } from './top-documents.ts'

type Found = ReturnType<Rankings['ranking']>

/** The best `depth` documents of every query, over the whole corpus, what of it is left, or among its candidates. */
export async function searchBy(
  part: RetrievalPart,
  depth: number,
  { searcher, asking, task }: Context & { readonly searcher: NonNullable<Context['searcher']> },
): Promise<Rankings> {
  const { queries, corpus, excluded, languages } = part
  const candidates = excluded === undefined ? part.candidates : undefined
  const askers = candidates === undefined ? undefined : queriesOfDocument(part, candidates, task)
  const barred = excluded === undefined ? undefined : barredDocuments(part, excluded)
  const { cutsFirst = false } = searcher
  const top = topDocuments(queries.ids.length, corpus.ids, depth)
  const wants = askers === undefined || cutsFirst ? undefined : wantedPairs(askers)
  await searcher.search(
    {
      queries: queries.texts,
      documents: { length: corpus.ids.length, at: (indexes) => textsAt(corpus.texts, indexes) },
      languages,
      ...(cutsFirst ? {} : { askers }),
    },
    (query, start, scores) => {
      checkFinite(scores, queries.texts[query] ?? '', task.name)
      if (wants !== undefined) {
        scores.forEach((score, i) => {
          if (wants(query, start + i)) top.offer(query, start + i, score)
        })
        return
      }
      top.offerBlock(query, start, scores, cutsFirst ? undefined : barred?.[query])
    },
    { ...asking, promptType: undefined },
  )
  if (!cutsFirst || (askers === undefined && barred === undefined)) return top
  const wanted = askers === undefined ? undefined : wantedPairs(askers)
  return {
    ranking: (query) =>
      only(top.ranking(query), (document) => wanted?.(query, document) ?? barred?.[query]?.has(document) !== true),
  }
}

function wantedPairs(askers: ReadonlyMap<number, readonly number[]>): (query: number, document: number) => boolean {
  const sets = new Map([...askers].map(([document, queries]) => [document, new Set(queries)]))
  return (query, document) => sets.get(document)?.has(query) === true
}

function only({ documents, scores }: Found, isWanted: (document: number) => boolean): Found {
  const left = [...documents.keys()].filter((rank) => isWanted(documents[rank]!))
  return {
    documents: Int32Array.from(left, (rank) => documents[rank]!),
    scores: Float32Array.from(left, (rank) => scores[rank]!),
  }
}

function checkFinite(scores: Float32Array, query: string, place: string): void {
  const bad = scores.find((score) => !Number.isFinite(score))
  if (bad !== undefined)
    throw fault('task.value', { place, what: 'a score of a query is not finite', seen: query.slice(0, 80) })
}
