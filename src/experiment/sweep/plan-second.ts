/** What the second stage of a search adds to the cost of a sweep. */
import { representationName } from '#representation/layers'
import type { LoadedTask, RetrievalPart } from '#task/rows'
import type { PlannedSecond, TaskCost } from './plan.ts'
import type { RerankOptions } from './sweep-request.ts'

/**
 * The most that it reads of a task: pairs, or, by a representation, queries and the documents of their pairs. Undefined
 * for a task without a search.
 */
export function secondCost(loaded: LoadedTask, { representation, top }: RerankOptions): number | undefined {
  if (loaded.protocol !== 'AbsTaskRetrieval') return undefined
  return loaded.parts.reduce((sum, part) => {
    const pairs = pairsIn(part, top)
    const texts = part.queries.ids.length + Math.min(part.corpus.ids.length, pairs)
    return sum + (representation === undefined ? pairs : texts)
  }, 0)
}

function pairsIn({ queries, corpus, candidates, excluded }: RetrievalPart, top: number): number {
  const most = Math.min(top, corpus.ids.length)
  if (candidates === undefined || excluded !== undefined) return queries.ids.length * most
  return queries.ids.reduce((sum, query) => sum + Math.min(most, candidates.get(query)?.length ?? 0), 0)
}

export async function planSecond(
  { model, representation, top }: RerankOptions,
  costs: readonly TaskCost[],
): Promise<PlannedSecond> {
  const known = costs.flatMap(({ rerank }) => (typeof rerank === 'number' ? [rerank] : []))
  return {
    model: model.name,
    representation: representation === undefined ? null : representationName(representation),
    top,
    most: costs.some(({ rerank }) => rerank === 'unknown') ? undefined : known.reduce((sum, one) => sum + one, 0),
    memoryBytes: await model.memoryBytes(),
  }
}
