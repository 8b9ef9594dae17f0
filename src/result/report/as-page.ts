/** A report as a page: its answer, its tables, the pictures of its rows, and those of the files next to its results. */
import { answer } from './answer.ts'
import { companionPictures } from './companion-pictures.ts'
import { effectPictures } from './effect-pictures.ts'
import { type Page, renderPage } from './page.ts'
import type { Report } from './report.ts'
import { reportPictures } from './report-pictures.ts'
import { tablesOf } from './tables.ts'

interface PageOptions extends Pick<Page, 'title'> {
  readonly tables?: Page['tables'] | undefined
  /** After those made from the report's own rows. */
  readonly pictures?: Page['pictures'] | undefined
}

export async function asPage(
  report: Report,
  { title, tables = tablesOf(report), pictures = [] }: PageOptions,
): Promise<string> {
  const drawn = [
    ...(report.effects === null ? [] : effectPictures(report)),
    ...reportPictures(report),
    ...companionPictures(report),
    ...pictures,
  ]
  return renderPage({ title, answer: answer(report), pictures: drawn, tables, folders: report.folders })
}
