/** What the scores allow to be said, row by row, next to measured speed. */
import { quantity } from '#core'
import type { Comparison, Verdict } from './compare-models.ts'

const verdicts: readonly Verdict[] = ['better', 'worse', 'not told apart', 'not tested']

/** One sentence per row after the first: on how many tasks its score is better, worse, or neither. */
export function qualitySentences({ tasks }: Pick<Comparison, 'tasks'>): string[] {
  return [...new Set(tasks.map(({ name }) => name))].map((name) => {
    const own = tasks.filter((one) => one.name === name)
    const counts = verdicts.flatMap((verdict) => {
      const count = own.filter((one) => one.verdict === verdict).length
      return count === 0 ? [] : [`${verdict} on ${quantity(count, 'task')}`]
    })
    return `The score of ${name} against ${own[0]?.against ?? 'the first row'}: ${counts.join(', ')}.`
  })
}
