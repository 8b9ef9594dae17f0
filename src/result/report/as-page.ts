/**
 * A report as one page that opens from a file: no network, no server, no external files, and no foreign script runs.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { compiledSibling } from '#platform/threads'
import { companionPictures } from './companion-pictures.ts'
import { effectPictures } from './effect-pictures.ts'
import { embedded } from '#result/pictures'
import { pageStyle } from './page-style.ts'
import type { Report } from './report.ts'
import { reportPictures, type TitledPicture } from './report-pictures.ts'
import type { Cell, Table } from './table.ts'
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
    ...reportPictures(report),
    ...(report.effects === null ? [] : effectPictures(report.effects)),
    ...companionPictures(report),
    ...pictures,
  ]
  const scripts = await Promise.all(
    ['tables', 'pictures'].map(async (name) =>
      script(await readFile(compiledSibling(import.meta.url, `client/${name}`), 'utf8')),
    ),
  )
  const figures = await Promise.all(drawn.map(({ title: name, picture }, at) => figure(name, picture, `picture-${at}`)))
  const hashes = scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`).join(' ')
  const [standings, rest] = [tables.slice(0, report.standings.length), tables.slice(report.standings.length)]
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
<p>${escaped(summary(report))}</p>
<nav aria-label="Contents"><ul>
${[...standings, ...(figures.length === 0 ? [] : [{ id: 'pictures', title: 'Pictures' }]), ...rest].map(({ id, title: name }) => `<li><a href="#${id}">${escaped(name)}</a></li>`).join('\n')}
</ul></nav>
</header>
<main>
${standings.map(section).join('\n')}
${figures.length === 0 ? '' : `<section id="pictures" aria-labelledby="pictures-title">\n<h2 id="pictures-title">Pictures</h2>\n${figures.join('\n')}\n</section>`}
${rest.map(section).join('\n')}
</main>
<footer><p>Made by strata ${escaped(report.strata)}${report.folders.length === 0 ? '' : ` from ${escaped(report.folders.join(', '))}`}.</p></footer>
<div id="tip" role="status" hidden></div>
${scripts.map((code) => `<script type="module">${code}</script>`).join('\n')}
</body>
</html>
`
}

function summary({ rows, tasks, missing, unreadable, twice }: Report): string {
  if (rows.length === 0 && unreadable.length === 0) return 'No results of tasks'
  const failed = missing.filter(({ code }) => code !== null).length
  return [
    `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} × ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`,
    `${failed} failed, ${missing.length - failed} not run`,
    ...(unreadable.length === 0 ? [] : [`${unreadable.length} files could not be read`]),
    ...(twice === 0 ? [] : [`${twice} results were in several folders: the first folder's count`]),
  ].join('; ')
}

function section({ id, title, notes, columns, rows }: Table): string {
  const header = columns.map(
    ({ title: name, number }) =>
      `<th scope="col" aria-sort="none"${number === true ? ' class="n"' : ''}><button type="button">${escaped(name)}</button></th>`,
  )
  const filter =
    rows.length < 8
      ? ''
      : `<label>Filter rows: <input type="search" autocomplete="off"></label> <output aria-live="polite"></output>\n`
  return `<section class="table" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escaped(title)}</h2>
${notes.map((note) => `<p class="note">${escaped(note)}</p>`).join('\n')}
${filter}<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-title">
<table${columns.length > 12 ? ' class="wide"' : ''}><thead><tr>${header.join('')}</tr></thead><tbody>
${rows.map((row) => `<tr>${row.map((cell, at) => cellOf(cell, at === 0, columns[at]?.number === true)).join('')}</tr>`).join('\n')}
</tbody></table></div>
</section>`
}

function cellOf({ text, tip, best, failed }: Cell, first: boolean, number: boolean): string {
  if (first) return `<th scope="row">${escaped(text)}</th>`
  const marks = [number ? '' : 't', best === true ? 'b' : '', failed === true ? 'f' : '']
    .filter((mark) => mark !== '')
    .join(' ')
  return `<td${marks === '' ? '' : ` class="${marks}"`}${tip === undefined ? '' : ` title="${escaped(tip)}"`}>${escaped(text)}</td>`
}

async function figure(title: string, picture: TitledPicture['picture'], name: string): Promise<string> {
  return `<figure>
<div class="plot" tabindex="0" role="img" aria-label="${escaped(`${title}. The arrow keys step through its marks; the tables contain the same numbers.`)}">${await embedded(picture, name)}</div>
</figure>`
}

/** Compiled code never contains the end tag of its element; if it did, no page would be written. */
function script(code: string): string {
  return code.replaceAll('</', String.raw`<\/`)
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
