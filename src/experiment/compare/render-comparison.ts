/** A comparison in the requested format. */
import { fastestRate } from '#experiment/bench'
import { csvLine } from '#files/tables'
import { writeWhole } from '#platform/disk'
import { renderReport, type ReportFormat } from '#result/report'
import type { Comparison } from './compare-models.ts'
import { comparisonTables } from './comparison-tables.ts'
import { tradeOffPictures } from './trade-off-pictures.ts'

export type ComparisonFormat = ReportFormat

/** The same bytes for the same comparison. */
export async function renderComparison(
  comparison: Comparison,
  { format, title = 'Comparison' }: { format: ComparisonFormat; title?: string },
): Promise<string> {
  switch (format) {
    case 'csv':
      return asCsv(comparison)
    case 'json':
      return `${JSON.stringify(comparison)}\n`
    case 'html':
    case 'md':
    case 'latex':
      return renderReport(comparison.report, {
        format,
        title,
        tables: comparisonTables(comparison),
        pictures: tradeOffPictures(comparison),
      })
    default:
      return format satisfies never
  }
}

/** Complete or absent. Throws `file.write`. */
export async function writeComparison(
  path: string,
  comparison: Comparison,
  options: { format: ComparisonFormat },
): Promise<void> {
  await writeWhole(path, await renderComparison(comparison, options))
}

/** One line per task and row, including the first row, which has scores and no comparison. */
function asCsv({ report: { rows, tasks: all }, tasks, costs, speed }: Comparison): string {
  const header = [
    'task',
    'name',
    'model',
    'revision',
    'representation',
    'score',
    'against',
    'difference',
    'low',
    'high',
    'p',
    'p_holm',
    'verdict',
  ]
  const lines = all.flatMap((task, at) =>
    rows.map(({ name, model, revision, representation, scores, parameters }) => {
      const one = tasks.find((compared) => compared.task === task.name && compared.name === name)
      const {
        against = null,
        difference = null,
        low = null,
        high = null,
        p = null,
        pHolm = null,
        verdict = null,
        items = null,
      } = one ?? {}
      const cost = costs.find((own) => own.name === name)
      const measured = speed?.rows.find((own) => own.name === name)
      const whose = [task.name, name, model, revision, representation]
      const counted = [items?.better ?? null, items?.worse ?? null, items?.same ?? null]
      const costing = [parameters, cost?.bytes ?? null, measured === undefined ? null : fastestRate(measured.sizes)]
      return [...whose, scores[at] ?? null, against, difference, low, high, p, pHolm, verdict, ...counted, ...costing]
    }),
  )
  return [
    [...header, 'items_ahead', 'items_behind', 'items_neither', 'parameters', 'bytes', 'texts_per_second'],
    ...lines,
  ]
    .map(csvLine)
    .join('')
}
