/** The score that the contrast tasks replace, where all six of them are there. */
import { points } from '#core'
import type { LegacyScore } from '#task/protocols'
import { asText } from '#result/report'

/** None without a score. */
export function legacyLines(scores: readonly LegacyScore[]): string[] {
  if (scores.length === 0) return []
  return [
    '',
    ...asText({
      columns: [{ title: 'six contrast tasks' }, { title: 'legacy_score', number: true }],
      rows: scores.map((own) => [`${own.model} ${own.representation}`, points(own.legacy_score)]),
    }),
    'legacy_score is mostly similarity without negatives: it rises when all texts become similar',
  ]
}
