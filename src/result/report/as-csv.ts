/** A report's rows for spreadsheets: one line each, scores at full length, and no cell that would run as a formula. */
import { csvLine } from '#files/tables'
import type { Report } from './report.ts'

export function asCsv({ tasks, rows, standings, held: against }: Report): string {
  const whole = new Map(standings.flatMap((one) => (one.whole ? one.rows.map((row) => [row.name, row] as const) : [])))
  const over = new Map(against?.overTasks.map((one) => [one.name, one]))
  const header = [
    'name',
    'model',
    'revision',
    'representation',
    'mean',
    'mean_rank',
    'borda',
    'tasks',
    'against',
    'difference',
    'p',
    'p_holm',
    'seconds',
  ]
  const lines = rows.map(({ name, model, revision, representation, scores, seconds }) => {
    const { mean = null, meanRank = null, borda = null, completed = null } = whole.get(name) ?? {}
    const { against = null, difference = null, p = null, pHolm = null } = over.get(name) ?? {}
    return [
      name,
      model,
      revision,
      representation,
      mean,
      meanRank,
      borda,
      completed,
      against,
      difference,
      p,
      pHolm,
      seconds,
      ...scores,
    ]
  })
  return [[...header, ...tasks.map((task) => task.name)], ...lines].map(csvLine).join('')
}
