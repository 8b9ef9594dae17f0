/**
 * Tables and pictures as one page that opens from a file: no network, no server, no external files, and no foreign
 * script runs. It opens with its answer and the picture that shows it; scores follow, then pictures, then every other
 * table, folded.
 */
import { version } from '#core'
import { writeWhole } from '#platform/disk'
import { breakable, escaped, tableSection } from './page-tables.ts'
import { figure } from './page-figures.ts'
import { pageScripts, pageShell } from './page-shell.ts'
import type { TitledPicture } from './report-pictures.ts'
import type { Table } from './table.ts'

export interface Page {
  readonly title: string
  /** Sentences at its top. */
  readonly answer: readonly string[]
  /** The first is next to the answer. */
  readonly pictures: readonly TitledPicture[]
  readonly tables: readonly Table[]
  /** Folders that it was made from. */
  readonly folders: readonly string[]
}

/** The same text for the same page. */
export async function renderPage({ title, answer, pictures, tables, folders }: Page): Promise<string> {
  const scripts = await pageScripts()
  const [lead, ...figures] = await Promise.all(pictures.map((one, at) => figure(one, `picture-${at}`)))
  const scores = tables.filter(({ isScores }) => isScores === true)
  const rest = tables.filter(({ isScores }) => isScores !== true)
  const places = [
    ...scores.filter(({ isFolded }) => isFolded !== true),
    ...(figures.length === 0 ? [] : [{ id: 'pictures', title: 'Pictures' }]),
    ...rest,
  ]
  return pageShell({
    title,
    scripts,
    main: `<div class="opening">
<p class="answer">${breakable(answer.join(' '))}</p>
${lead ?? ''}
</div>
<nav aria-label="Contents"><ul>
${places.map(({ id, title: name }) => `<li><a href="#${id}">${escaped(name)}</a></li>`).join('\n')}
</ul></nav>
${scores.map((table) => tableSection(table, { isOpen: table.isFolded !== true })).join('\n')}
${figures.length === 0 ? '' : `<section aria-labelledby="pictures">\n<h2 id="pictures">Pictures</h2>\n<div class="figures">\n${figures.join('\n')}\n</div>\n</section>`}
${rest.map((table) => tableSection(table, { isOpen: table.isFolded !== true && table.rows.length <= short })).join('\n')}
`,
    footer: `Made by strata ${escaped(version)}${folders.length === 0 ? '' : ` from ${breakable(folders.join(', '))}`}.`,
  })
}

/** Writes a page; the file appears under its name only when it is complete. Throws `file.write`. */
export async function writePage(path: string, page: Page): Promise<void> {
  await writeWhole(path, await renderPage(page))
}

/** Maximum number of rows of a table that is open from the start. */
const short = 12
