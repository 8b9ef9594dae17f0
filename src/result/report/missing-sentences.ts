/** What a report lacks, in sentences: results, tasks outside the means, other models. */
import { quantity } from '#core'
import type { Report } from './report.ts'
import { listNames } from './sentence-parts.ts'

export function missingSentences({ rows, tasks, standings, missing, unreadable, twice }: Report): string[] {
  if (rows.length === 0 && unreadable.length === 0) return ['No results of tasks are part of this page.']
  const failed = missing.filter(({ code }) => code !== null).length
  const absent = missing.length - failed
  const wholes = standings.filter(({ whole }) => whole)
  const lower = tasks.flatMap(({ name, lowerIsBetter }) => (lowerIsBetter ? [name] : []))
  const counted = wholes.reduce((sum, { common }) => sum + common.length, 0) + lower.length
  const without = wholes
    .flatMap(({ rows: own, common }) => (common.length === 0 ? [] : own))
    .filter(({ mean }) => mean === null).length
  const gaps = [
    ...(failed === 0 ? [] : [`${quantity(failed, 'result')} failed`]),
    ...(absent === 0 ? [] : [`${quantity(absent, 'result')} ${absent === 1 ? 'is' : 'are'} missing`]),
    ...(unreadable.length === 0 ? [] : [`${quantity(unreadable.length, 'file')} could not be read`]),
  ]
  const models = new Set(rows.map(({ model }) => model))
  return [
    gaps.length === 0 ? 'No result is missing.' : `${listNames(gaps)}; none of them is in a mean.`,
    ...(counted < tasks.length && counted > lower.length
      ? [`The means cover ${counted - lower.length} of ${tasks.length} tasks: those that every ranked row has.`]
      : []),
    ...(without === 0
      ? []
      : [
          `${quantity(without, 'row')} without a task in common with the others ${without === 1 ? 'has' : 'have'} no mean.`,
        ]),
    ...(lower.length === 0
      ? []
      : [`Lower is better for ${listNames(lower, 4)}, which ${lower.length === 1 ? 'is' : 'are'} in no mean.`]),
    ...(twice === 0 ? [] : [`${quantity(twice, 'result')} were in several folders, and the first folder's count.`]),
    ...(models.size === 1 && rows.length > 1
      ? ['All rows are of one model; whether another model behaves alike is not shown here.']
      : []),
  ]
}
