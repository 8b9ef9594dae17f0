/** nDCG@20 by how detailed the instruction is: ids of queries hold `v1`, `v2` or `v3` (IFIR). */
import { compensatedMean, fault } from '#core'
import { atCutoff, type SpecificScore } from './answers.ts'

const levels = ['v1', 'v2', 'v3'] as const

export const levelScores: SpecificScore = (answers) => {
  const queries = [...answers.measures.keys()]
  const levelOf = (query: string): string | undefined => levels.find((level) => query.includes(level))
  const scores = levels.map((level, i) => {
    const own = queries.filter((query) => levelOf(query) === level)
    if (own.length === 0)
      throw fault('task.value', {
        place: answers.place,
        what: `no query of level ${i + 1}`,
        wanted: `an id with ${level} in it`,
      })
    return [`level_${i + 1}`, compensatedMean(own.map((query) => atCutoff(answers, query, 'ndcg', 20)))] as const
  })
  return { level_scores: Object.fromEntries(scores) }
}
