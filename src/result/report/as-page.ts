/**
 * A report as one page that opens from a file: no network, no server, no external files, and no foreign script runs. It
 * opens with its answer and the picture that shows it; scores follow, then pictures, then every other table, folded.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { compiledSibling } from '#platform/threads'
import { answer } from './answer.ts'
import { companionPictures } from './companion-pictures.ts'
import { effectPictures } from './effect-pictures.ts'
import { breakable, escaped, tableSection } from './page-tables.ts'
import { figure } from './page-figures.ts'
import { pageStyle } from './page-style.ts'
import type { Report } from './report.ts'
import { reportPictures, type TitledPicture } from './report-pictures.ts'
import type { Table } from './table.ts'
import { tablesOf } from './tables.ts'

export interface PageOptions {
  readonly title: string
  readonly tables?: readonly Table[] | undefined
  /** Shown next to the pictures made from the report's own rows. */
  readonly pictures?: readonly TitledPicture[] | undefined
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
  const scripts = await Promise.all(
    ['tables', 'pictures'].map(async (name) =>
      script(await readFile(compiledSibling(import.meta.url, `client/${name}`), 'utf8')),
    ),
  )
  const [lead, ...figures] = await Promise.all(drawn.map((one, at) => figure(one, `picture-${at}`)))
  const hashes = scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`).join(' ')
  const scores = tables.filter(({ isScores }) => isScores === true)
  const rest = tables.filter(({ isScores }) => isScores !== true)
  const places = [
    ...scores.filter(({ isFolded }) => isFolded !== true),
    ...(figures.length === 0 ? [] : [{ id: 'pictures', title: 'Pictures' }]),
    ...rest,
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${hashes}; base-uri 'none'; form-action 'none'">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${pageStyle()}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
</header>
<main>
<div class="opening">
<p class="answer">${breakable(answer(report).join(' '))}</p>
${lead ?? ''}
</div>
<nav aria-label="Contents"><ul>
${places.map(({ id, title: name }) => `<li><a href="#${id}">${escaped(name)}</a></li>`).join('\n')}
</ul></nav>
${scores.map((table) => tableSection(table, { isOpen: table.isFolded !== true })).join('\n')}
${figures.length === 0 ? '' : `<section aria-labelledby="pictures">\n<h2 id="pictures">Pictures</h2>\n<div class="figures">\n${figures.join('\n')}\n</div>\n</section>`}
${rest.map((table) => tableSection(table, { isOpen: table.isFolded !== true && table.rows.length <= short })).join('\n')}
</main>
<footer><p>Made by strata ${escaped(report.strata)}${report.folders.length === 0 ? '' : ` from ${breakable(report.folders.join(', '))}`}.</p></footer>
<div id="tip" role="status" hidden></div>
${scripts.map((code) => `<script type="module">${code}</script>`).join('\n')}
</body>
</html>
`
}

/** Maximum number of rows of a table that is open from the start. */
const short = 12

/** Compiled code never contains the end tag of its element; if it did, no page would be written. */
function script(code: string): string {
  return code.replaceAll('</', String.raw`<\/`)
}
