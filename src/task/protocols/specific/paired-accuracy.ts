/**
 * Share of pairs of queries (`<pair>_q1`, `<pair>_q2`) that both find their document first (Weller et al. 2024, NevIR,
 * arXiv 2305.07614).
 */
import { atCutoff, firstPart, grouped, type SpecificScore } from './answers.ts'

export const pairedAccuracy: SpecificScore = (answers) => {
  const pairs = [...grouped(answers.qrels.keys(), firstPart).keys()]
  const right = pairs.filter((pair) =>
    ['q1', 'q2'].every((side) => atCutoff(answers, `${pair}_${side}`, 'recall', 1) === 1),
  )
  return { paired_accuracy: right.length / pairs.length }
}
