/** A report in the format asked for. */
import { extname } from 'node:path'
import { fault } from '#core'
import { writeWhole } from '#platform/disk'
import { asCsv } from './as-csv.ts'
import { asLatex } from './as-latex.ts'
import { asMarkdown } from './as-markdown.ts'
import { asPage } from './as-page.ts'
import type { Report } from './report.ts'
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

/** By the ending of a file's name. Throws `usage.value` for another one. */
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
  /** In the place of the report's own; not in csv and JSON. The first ones are its standings. */
  readonly tables?: readonly Table[] | undefined
}

/** The same bytes for the same report. */
export async function renderReport(
  report: Report,
  { format, title = 'Results', tables = tablesOf(report) }: RenderReportOptions,
): Promise<string> {
  switch (format) {
    case 'html':
      return asPage(report, { title, tables })
    case 'md':
      return asMarkdown(title, tables)
    case 'csv':
      return asCsv(report)
    case 'latex':
      return asLatex(title, tables)
    case 'json':
      return `${JSON.stringify(report)}\n`
    default:
      return format satisfies never
  }
}

/** Whole. Throws `file.write`. */
export async function writeReport(path: string, report: Report, options: RenderReportOptions): Promise<void> {
  await writeWhole(path, await renderReport(report, options))
}
