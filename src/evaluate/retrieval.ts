/** Retrieval: rank a corpus for every query, measure the rankings (mteb `AbsTaskRetrieval`, `RetrievalEvaluator`). */
import type { RetrievalPart } from '../tasks/index.ts'
import { abstentionArea, confidences } from './abstention.ts'
import type { Context, PartScores } from './part-scores.ts'
import { mean, roundHalfEven } from './rounding.ts'
import { searchCorpus } from './search.ts'
import { rankingScores, type RankingScores } from './trec.ts'

type Measure = keyof RankingScores

export async function scoreRetrieval(part: RetrievalPart, context: Context): Promise<PartScores> {
  const cutoffs = context.task.params.k_values
  const top = await searchCorpus(part, Math.max(...cutoffs), context)
  const similarities: Float32Array[] = []
  const perQuery = part.queries.ids.map((id, query) => {
    const { ranking, scores } = rankingOf(part, query, top.ranking(query), context)
    similarities.push(scores)
    return rankingScores(ranking, part.qrels.get(id) ?? new Map<string, number>(), cutoffs)
  })
  const metrics = summary(perQuery, similarities, cutoffs, context)
  return { metrics, columns: itemColumns(part, perQuery, cutoffs, context) }
}

/** Ids and scores, best first. The query itself leaves after the cut, so that one document fewer may be left. A document that the corpus holds twice counts once. */
function rankingOf(
  { corpus, queries }: RetrievalPart,
  query: number,
  { documents, scores }: { documents: Int32Array; scores: Float32Array },
  { task }: Context,
): { ranking: string[]; scores: Float32Array } {
  const self = task.params.ignore_identical_ids ? queries.ids[query] : undefined
  const seen = new Set<string>()
  const kept: number[] = []
  documents.forEach((document, rank) => {
    const id = corpus.ids[document]!
    if (id === self || seen.has(id)) return
    seen.add(id)
    kept.push(rank)
  })
  if (task.params.skip_first_result) kept.shift()
  return { ranking: kept.map((rank) => corpus.ids[documents[rank]!]!), scores: Float32Array.from(kept, (rank) => scores[rank]!) }
}

/** Fields in mteb's order: five measures, the reciprocal rank, abstention areas; 2.x adds accuracy and hit rates. All but the last two kinds are rounded to 5 decimals. */
function summary(
  perQuery: readonly RankingScores[],
  similarities: readonly Float32Array[],
  cutoffs: readonly number[],
  { profile }: Context,
): Record<string, number | null> {
  const metrics: Record<string, number | null> = {}
  const averages = (measure: Measure, digits?: number): void =>
    cutoffs.forEach((cutoff, c) => {
      const average = mean(perQuery.map((scores) => scores[measure][c]!))
      metrics[`${measure}_at_${cutoff}`] = digits === undefined ? average : roundHalfEven(average, digits)
    })
  for (const measure of ['ndcg', 'map', 'recall'] as const) averages(measure, 5)
  if (profile === 'mteb-2') metrics['accuracy'] = metrics['recall_at_1'] ?? null
  averages('precision', 5)
  averages('mrr')

  const confidence = confidences(similarities)
  for (const measure of ['ndcg', 'map', 'recall', 'precision', 'mrr'] as const) {
    cutoffs.forEach((cutoff, c) => {
      const values = Float64Array.from(perQuery, (scores) => scores[measure][c]!)
      for (const kind of ['max', 'std', 'diff1'] as const) metrics[`nauc_${measure}_at_${cutoff}_${kind}`] = abstentionArea(confidence[kind], values, profile)
    })
  }
  if (profile === 'mteb-2') averages('hit_rate', 5)
  return metrics
}

/** Every query's value of the main score's measure, nDCG@10 when that is none of a single query. */
function itemColumns({ queries }: RetrievalPart, perQuery: readonly RankingScores[], cutoffs: readonly number[], { task }: Context): PartScores['columns'] {
  const [, measure = 'ndcg', cutoff = '10'] = /^(ndcg|map|recall|precision|hit_rate|mrr)_at_(\d+)$/.exec(task.mainScore) ?? []
  const c = cutoffs.indexOf(Number(cutoff))
  return { query: queries.ids, [`${measure}_at_${cutoff}`]: Float64Array.from(perQuery, (scores) => scores[measure as Measure][c] ?? NaN) }
}
