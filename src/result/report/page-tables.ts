/** Tables in a page: they fold, their first column stays in sight, and on a phone texts become cards. */
import type { Cell, Table } from './table.ts'

/** From this number of columns on, the titles of numbers stand upright. */
const many = 12
/** From this number of columns on, a row with texts is a card on a phone. */
const cards = 4

export function tableSection(
  { id, title, notes, columns, rows }: Table,
  { isOpen }: { readonly isOpen: boolean },
): string {
  const isCards = columns.length >= cards && columns.slice(1).some(({ number }) => number !== true)
  const header = columns.map(
    ({ title: name, number }) =>
      `<th scope="col" role="columnheader" aria-sort="none"${number === true ? ' class="n"' : ''}><button type="button">${breakable(name)}</button></th>`,
  )
  const filter =
    rows.length < 8
      ? ''
      : `<label>Filter rows: <input type="search" autocomplete="off"></label> <output aria-live="polite"></output>\n`
  const kinds = [...(columns.length > many ? ['wide'] : []), ...(isCards ? ['cards'] : [])]
  const line = (row: readonly Cell[]): string =>
    `<tr role="row">${row.map((cell, at) => cellText(cell, { at, column: columns[at], isCards })).join('')}</tr>`
  return `<details class="table"${isOpen ? ' open' : ''} id="${id}">
<summary><h2 id="${id}-title">${breakable(title)}</h2></summary>
${notes.map((note) => `<p class="note">${breakable(note)}</p>`).join('\n')}
${filter}<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-title">
<table role="table"${kinds.length === 0 ? '' : ` class="${kinds.join(' ')}"`}><thead role="rowgroup"><tr role="row">${header.join('')}</tr></thead><tbody role="rowgroup">
${rows.map(line).join('\n')}
</tbody></table></div>
</details>`
}

interface CellPlace {
  readonly at: number
  readonly column: Table['columns'][number] | undefined
  readonly isCards: boolean
}

/** A card repeats the title of the column next to each value. */
function cellText({ text, tip, best, failed }: Cell, { at, column, isCards }: CellPlace): string {
  if (at === 0) return `<th scope="row" role="rowheader">${breakable(text)}</th>`
  const marks = [column?.number === true ? '' : 't', best === true ? 'b' : '', failed === true ? 'f' : '']
    .filter((mark) => mark !== '')
    .join(' ')
  const title = isCards ? ` data-title="${escaped(column?.title ?? '')}"` : ''
  return `<td role="cell"${marks === '' ? '' : ` class="${marks}"`}${title}${tip === undefined ? '' : ` title="${escaped(tip)}"`}>${breakable(text)}</td>`
}

/** Text whose names may break after a joint or before the next capital, and nowhere in a word. */
export function breakable(text: string): string {
  return text
    .split(/(?<=[/_@#·])(?=[^\s/_@#·])|(?<=[a-z]{3})(?=[A-Z][a-z]{3})/)
    .map(escaped)
    .join('<wbr>')
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
