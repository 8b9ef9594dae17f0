/**
 * Mean over queries of the lowest nDCG@10 among their instructions (`<query>_<instruction>`) (Oh et al. 2024,
 * InstructIR, arXiv 2402.14334).
 */
import { compensatedMean } from '#core'
import { atCutoff, firstPart, grouped, type SpecificScore } from './answers.ts'

export const robustness: SpecificScore = (answers) => {
  const groups = [...grouped(answers.qrels.keys(), firstPart).values()]
  return {
    robustness_at_10: compensatedMean(
      groups.map((queries) => Math.min(...queries.map((query) => atCutoff(answers, query, 'ndcg', 10)))),
    ),
  }
}
