/**
 * Measures of one ranking, as trec_eval 9 computes them (m_ndcg_cut.c, m_map_cut.c, m_recall.c, m_P.c, m_success.c),
 * and the reciprocal rank of mteb.
 */

/** Measure → value at each cutoff. */
export interface RankingScores {
  readonly ndcg: readonly number[]
  readonly map: readonly number[]
  readonly recall: readonly number[]
  readonly precision: readonly number[]
  readonly hit_rate: readonly number[]
  readonly mrr: readonly number[]
}

/**
 * `ranking` holds document ids, best first; `grades` the judged documents. A document is relevant from grade 1 on;
 * gains are grades, negative ones 0.
 */
export function rankingScores(
  ranking: readonly string[],
  grades: ReadonlyMap<string, number>,
  cutoffs: readonly number[],
): RankingScores {
  const relevant = [...grades.values()].filter((grade) => grade >= 1).length
  const ideal = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const scores = {
    ndcg: [] as number[],
    map: [] as number[],
    recall: [] as number[],
    precision: [] as number[],
    hit_rate: [] as number[],
    mrr: [] as number[],
  }
  // few of a thousand documents are judged: one walk finds them for all cutoffs
  const judged: { readonly place: number; readonly grade: number }[] = []
  for (let place = 0; place < Math.min(Math.max(...cutoffs), ranking.length); place++) {
    const grade = grades.get(ranking[place]!) ?? 0
    if (grade > 0) judged.push({ place, grade })
  }
  for (const cutoff of cutoffs) {
    let [gain, best, hits, precisions, firstHit] = [0, 0, 0, 0, 0]
    for (let i = 0; i < Math.min(cutoff, ideal.length); i++) best += ideal[i]! / Math.log2(i + 2)
    for (const { place, grade } of judged) {
      if (place >= cutoff) break
      gain += grade / Math.log2(place + 2)
      if (grade < 1) continue
      hits++
      precisions += hits / (place + 1)
      if (hits === 1) firstHit = place + 1
    }
    scores.ndcg.push(best > 0 ? gain / best : 0)
    scores.map.push(relevant > 0 ? precisions / relevant : 0)
    scores.recall.push(relevant > 0 ? hits / relevant : 0)
    scores.precision.push(hits / cutoff)
    scores.hit_rate.push(hits > 0 ? 1 : 0)
    scores.mrr.push(firstHit > 0 ? 1 / firstHit : 0)
  }
  return scores
}
