/**
 * Retrieval and reranking: rank a corpus, or candidates, for every query; measure the rankings (mteb
 * `AbsTaskRetrieval`, `RetrievalEvaluator`).
 */
import type { RetrievalPart } from '#task/rows'
import { guarded } from './constant.ts'
import type { Context, PartScores } from './part-scores.ts'
import { type Measure, type Ranking, scoreRankings } from './rankings.ts'
import { olderNames, type RankedQuery, scoreCandidates } from './reranking.ts'
import { reranked } from './reranked.ts'
import { searchRescored } from './rescored.ts'
import { searchBy } from './search-by.ts'
import { type Rankings, searchCorpus } from './search.ts'
import type { Answers } from './specific/answers.ts'
import { wholeQueries } from './specific/max-over-subqueries.ts'
import { specificScores } from './specific/table.ts'
import type { RankingScores } from './trec.ts'

export async function scoreRetrieval(part: RetrievalPart, context: Context): Promise<PartScores> {
  const { profile, task } = context
  const { k_values: cutoffs, specificScores: own } = task.params
  const place = `${task.name} › ${part.subset} › ${part.split}`
  const older =
    profile === 'mteb-1' &&
    task.type === 'Reranking' &&
    part.candidates !== undefined &&
    Object.hasOwn(olderNames, task.mainScore)
  const depth = older ? longestList(part) : Math.max(...cutoffs)
  const top = await rankedDocuments(part, depth, context, place)
  const gradesOf = (query: string): ReadonlyMap<string, number> => part.qrels.get(query) ?? new Map<string, number>()
  const { ids } = part.queries
  const { corpus } = part
  // a corpus larger than all rankings is not worth a look of its own
  const repeats = corpus.ids.length > ids.length * depth || new Set(corpus.ids).size < corpus.ids.length
  const ranked = (query: number): Ranking => {
    const self = task.params.ignore_identical_ids ? ids[query] : undefined
    return rankingOf(corpus.ids, top.ranking(query), { self, repeats })
  }
  const answers = (measures: readonly RankingScores[]): Answers => ({
    place,
    profile,
    cutoffs,
    qrels: part.qrels,
    rankings: new Map(ids.map((id, query) => [id, ranked(query)])),
    measures: new Map(measures.map((scores, query) => [ids[query] ?? '', scores])),
    changed: part.changed,
  })

  if (older) {
    const queries: RankedQuery[] =
      own === 'max_over_subqueries'
        ? wholeQueries(answers([]))
        : ids.map((id, query) => ({ id, ranking: ranked(query), grades: gradesOf(id) }))
    return scoreCandidates(queries, task.mainScore, place)
  }
  const skip = task.params.skip_first_result ? 1 : 0
  const { perQuery, metrics } = scoreRankings(cut(ids.length, ranked, skip), ids.map(gradesOf), cutoffs, profile)
  const specific = own === null ? {} : specificScores[own](answers(perQuery))
  return {
    // 1.39.7 has an evaluator of its own for changed instructions, without the fields of retrieval
    metrics: own === 'p_mrr' && profile === 'mteb-1' ? specific : { ...metrics, ...specific },
    columns: itemColumns(part, perQuery, cutoffs, context),
  }
}

/** By a search, a reranker, or one after the other; or by one search among what another has found. */
async function rankedDocuments(part: RetrievalPart, depth: number, context: Context, place: string): Promise<Rankings> {
  const { reranking, second, searcher, rescore } = context
  if (second !== undefined) {
    const found = await rankedDocuments(part, second.top, { ...context, second: undefined }, place)
    // what a query leaves out was not found
    const { excluded: _, ...others } = part
    const among = { ...others, candidates: foundIds(part, found, second.top) }
    return rankedDocuments(among, second.top, { ...context, second: undefined, ...second.by }, place)
  }
  if (reranking !== undefined && reranking.top === undefined)
    return reranked(part, undefined, { ...context, reranking })
  if (reranking !== undefined) {
    const found = await rankedDocuments(part, reranking.top ?? depth, { ...context, reranking: undefined }, place)
    return reranked(part, found, { ...context, reranking })
  }
  if (searcher !== undefined) return searchBy(part, depth, { ...context, searcher })
  const guard = guarded(context)
  const found =
    rescore === undefined
      ? await searchCorpus(part, depth, guard.context)
      : await searchRescored(part, depth, guard.context, rescore)
  guard.refuse(place)
  return found
}

function foundIds({ queries, corpus }: RetrievalPart, found: Rankings, top: number): Map<string, readonly string[]> {
  const idOf = (document: number): string => corpus.ids[document] ?? ''
  return new Map(queries.ids.map((id, query) => [id, Array.from(found.ranking(query).documents.slice(0, top), idOf)]))
}

function longestList({ candidates }: RetrievalPart): number {
  let longest = 1
  for (const { length } of candidates?.values() ?? []) longest = Math.max(longest, length)
  return longest
}

/** Rankings one by one: all of them at once would hold a thousand documents for every query. */
function* cut(queries: number, ranked: (query: number) => Ranking, skip: number): Generator<Ranking> {
  for (let query = 0; query < queries; query++) {
    const whole = ranked(query)
    yield skip === 0 ? whole : { ids: whole.ids.slice(skip), scores: whole.scores.subarray(skip) }
  }
}

/**
 * The query itself leaves after the cut, so that one document fewer may be left. A document that the corpus holds twice
 * counts once.
 */
function rankingOf(
  corpus: readonly string[],
  { documents, scores }: ReturnType<Rankings['ranking']>,
  { self, repeats }: { readonly self: string | undefined; readonly repeats: boolean },
): Ranking {
  if (self === undefined && !repeats) {
    // hundreds of thousands of ids: a loop takes a tenth of the time of `Array.from`
    const ids: string[] = []
    for (const document of documents) ids.push(corpus[document]!)
    return { ids, scores }
  }
  const ids = new Set<string>()
  const left = new Float32Array(documents.length)
  for (let rank = 0; rank < documents.length; rank++) {
    const id = corpus[documents[rank]!]!
    if (id === self || ids.has(id)) continue
    left[ids.size] = scores[rank]!
    ids.add(id)
  }
  return { ids: [...ids], scores: left.slice(0, ids.size) }
}

/** Every query's value of the main score's measure, nDCG@10 when that is none of a single query. */
function itemColumns(
  { queries }: RetrievalPart,
  perQuery: readonly RankingScores[],
  cutoffs: readonly number[],
  { task }: Context,
): PartScores['columns'] {
  const [, measure = 'ndcg', cutoff = '10'] =
    /^(ndcg|map|recall|precision|hit_rate|mrr)_at_(\d+)$/.exec(task.mainScore) ?? []
  const c = cutoffs.indexOf(Number(cutoff))
  return {
    query: queries.ids,
    [`${measure}_at_${cutoff}`]: Float64Array.from(perQuery, (scores) => scores[measure as Measure][c] ?? NaN),
  }
}
