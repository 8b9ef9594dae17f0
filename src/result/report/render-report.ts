/** A report in the requested format. */
import { extname } from 'node:path'
import { fault } from '#core'
import { writeWhole } from '#platform/disk'
import { answer } from './answer.ts'
import { asCsv } from './as-csv.ts'
import { asLatex } from './as-latex.ts'
import { asMarkdown } from './as-markdown.ts'
import { asPage } from './as-page.ts'
import type { Report } from './report.ts'
import type { TitledPicture } from './report-pictures.ts'
import type { Table } from './table.ts'
import { tablesOf } from './tables.ts'

export const reportFormats = ['html', 'md', 'csv', 'latex', 'json'] as const
export type ReportFormat = (typeof reportFormats)[number]

const endings: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'md',
  csv: 'csv',
  tex: 'latex',
  json: 'json',
}

/**
 * The format by file extension. `place` names the flag or key in messages. Throws `usage.value` for another extension.
 *
 * @example
 * ```ts
 * import { reportFormat } from 'strata-lm/report'
 *
 * console.log(reportFormat('table.tex')) // → latex
 * ```
 */
export function reportFormat(path: string, place = 'report'): ReportFormat {
  const format = endings[extname(path).slice(1).toLowerCase()]
  if (format === undefined)
    throw fault('usage.value', {
      place,
      what: 'not the name of a report',
      seen: path,
      wanted: `a name that ends in .${Object.keys(endings).join(', .')}, or --format`,
    })
  return format
}

interface RenderReportOptions {
  readonly format: ReportFormat
  readonly title?: string | undefined
  /** Replace the report's own tables, except in csv and JSON. The first ones are its standings. */
  readonly tables?: readonly Table[] | undefined
  /** Further pictures of a page, after the report's own. */
  readonly pictures?: readonly TitledPicture[] | undefined
}

/**
 * A report as the text of a page (`html`), of tables (`md`, `latex`, `csv`), or of a document (`json`): the same bytes
 * for the same report.
 *
 * @example
 * ```ts
 * import { renderReport, reportOf } from 'strata-lm/report'
 *
 * const text = await renderReport(await reportOf(['results']), { format: 'md' })
 * console.log(text.split('\n')[0]) // → # Results
 * ```
 */
export async function renderReport(
  report: Report,
  { format, title = 'Results', tables = tablesOf(report), pictures }: RenderReportOptions,
): Promise<string> {
  switch (format) {
    case 'html':
      return asPage(report, { title, tables, pictures })
    case 'md':
      return asMarkdown(title, answer(report), tables)
    case 'csv':
      return asCsv(report)
    case 'latex':
      return asLatex(title, answer(report), tables)
    case 'json':
      return `${JSON.stringify(report)}\n`
    default:
      return format satisfies never
  }
}

/**
 * Writes a report; the file appears under its name only when it is complete. Throws `file.write`.
 *
 * @example
 * ```ts
 * import { stat } from 'node:fs/promises'
 * import { reportOf, writeReport } from 'strata-lm/report'
 *
 * await writeReport('report.html', await reportOf(['results']), { format: 'html', title: 'Two layers' })
 * console.log((await stat('report.html')).size > 10_000) // → true
 * ```
 */
export async function writeReport(path: string, report: Report, options: RenderReportOptions): Promise<void> {
  await writeWhole(path, await renderReport(report, options))
}
