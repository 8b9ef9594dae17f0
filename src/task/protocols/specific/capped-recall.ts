/**
 * Recall by what could be found within the cutoff: relevant documents among the first k over min(k, relevant ones).
 * Queries without a relevant document do not count.
 */
import { compensatedMean } from '#core'
import type { SpecificScore } from './answers.ts'

export const cappedRecall: SpecificScore = ({ rankings, qrels, cutoffs }) =>
  Object.fromEntries(
    cutoffs.map((cutoff) => {
      const values = [...rankings].flatMap(([query, { ids }]) => {
        const grades = qrels.get(query)
        const relevant = [...(grades?.values() ?? [])].filter((grade) => grade > 0).length
        const found = ids.slice(0, cutoff).filter((id) => (grades?.get(id) ?? 0) > 0).length
        return relevant === 0 ? [] : [found / Math.min(relevant, cutoff)]
      })
      return [`R_cap_at_${cutoff}`, values.length === 0 ? 0 : compensatedMean(values)]
    }),
  )
