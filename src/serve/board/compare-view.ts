/** Two rows side by side, as `strata compare` has them. */
import { asFault, fault } from '#core'
import { compareModels, comparisonTables } from '#experiment/compare'
import { answer, breakable, figure, reportPictures, tableSection } from '#result/report'
import type { Shown } from './report-sections.ts'
import { heading, type TextsOf } from './result-view.ts'

export interface CompareView {
  /** Names of rows, as the tables have them. */
  readonly first: string
  readonly second: string
}

interface CompareParts {
  readonly textsOf: TextsOf | undefined
  readonly typeOf: ((task: string) => string) | undefined
}

/** Resamples of the paired bootstrap: an answer while somebody waits. */
const draws = 2000

/** Throws `usage.value` for a name that no row has, or the same twice. */
export async function compareHtml(
  { report, seen }: Shown,
  { first, second }: CompareView,
  { textsOf, typeOf }: CompareParts,
): Promise<string> {
  const [one, other] = [first, second].map((name) => {
    const row = report?.rows.find((known) => known.name === name)
    if (row === undefined) throw fault('usage.value', { place: 'row', what: 'no row has this name', seen: name })
    return row
  })
  if (one === undefined || other === undefined || one === other)
    throw fault('usage.value', { place: 'row', what: 'a row is compared with another one', seen: first })
  const rows = [one, other]
  const read = seen.results.map(({ root, listed }) => ({
    root,
    listed: listed.filter(({ model, revision }) =>
      rows.some((row) => row.model === model && row.revision === revision),
    ),
  }))
  const isSame = (a: Omit<typeof one, 'name'>, b: typeof one): boolean =>
    a.model === b.model && a.revision === b.revision && a.representation === b.representation
  try {
    const comparison = await compareModels([], {
      read,
      draws,
      choose: (all) => rows.flatMap((row) => all.find((known) => isSame(known as typeof one, row)) ?? []),
      ...(textsOf === undefined ? {} : { textsOf }),
      typeOf,
    })
    const tables = comparisonTables(comparison)
      .filter(({ id }) => id !== 'costs')
      .map((table) => tableSection({ ...table, id: `side-${table.id}` }, { isOpen: table.isFolded !== true }))
    const pictures: string[] = []
    for (const [at, picture] of reportPictures(comparison.report).entries())
      pictures.push(await figure(picture, `side-picture-${at}`))
    return `${heading(`${first} and ${second}`)}
<p class="answer">${breakable(answer(comparison.report).join(' '))}</p>
${tables.join('\n')}
<div class="figures">${pictures.join('\n')}</div>`
  } catch (error) {
    throw asFault(error, 'internal', 'comparison')
  }
}
