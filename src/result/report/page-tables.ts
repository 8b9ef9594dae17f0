/** Tables in a page: they fold, their first column stays in sight, and on a phone texts become cards. */
import { grouped } from '#core'
import type { Cell, Table } from './table.ts'
import type { TablePart } from './table-part.ts'

/** From this number of columns on, the titles of numbers stand upright. */
const many = 12
/** From this number of columns on, a row with texts is a card on a phone. */
const cards = 4

interface SectionOptions {
  readonly isOpen: boolean
  /** The part of a table that `rows` are; its order, filter and further rows are its server's. */
  readonly part?: TablePart | undefined
}

export function tableSection({ id, title, notes, columns, rows }: Table, { isOpen, part }: SectionOptions): string {
  const isCards = columns.length >= cards && columns.slice(1).some(({ number }) => number !== true)
  const header = columns.map(
    ({ title: name, number }, at) =>
      `<th scope="col" role="columnheader" aria-sort="${part?.sort === at ? part.order : 'none'}"${number === true ? ' class="n"' : ''}><button type="button">${breakable(name)}</button></th>`,
  )
  const filter =
    (part?.of ?? rows.length) < fewest
      ? ''
      : `<label>Filter rows: <input type="search" autocomplete="off"></label> <output aria-live="polite"></output>\n`
  const kinds = [...(columns.length > many ? ['wide'] : []), ...(isCards ? ['cards'] : [])]
  const line = (row: readonly Cell[]): string =>
    `<tr role="row">${row.map((cell, at) => cellText(cell, { at, column: columns[at], isCards })).join('')}</tr>`
  return `<details class="table"${part === undefined ? '' : ' data-part'}${isOpen ? ' open' : ''} id="${id}">
<summary><h2 id="${id}-title">${breakable(title)}</h2></summary>
${notes.map((note) => `<p class="note">${breakable(note)}</p>`).join('\n')}
${filter}<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-title">
<table role="table"${kinds.length === 0 ? '' : ` class="${kinds.join(' ')}"`}><thead role="rowgroup"><tr role="row">${header.join('')}</tr></thead><tbody role="rowgroup">
${rows.map(line).join('\n')}
</tbody></table></div>
${part === undefined ? '' : pager(part, rows.length)}</details>`
}

/** From this number of rows on, a table has a filter. */
const fewest = 8

/** Nothing where the part is all of it. */
function pager({ from, found, of, size }: TablePart, count: number): string {
  if (count === of) return ''
  const among = found === of ? '' : ` that match, of ${grouped(of)}`
  const words = count === 0 ? 'No rows' : `Rows ${grouped(from + 1)}–${grouped(from + count)} of ${grouped(found)}`
  const button = (name: string, to: number, isThere: boolean): string =>
    `<button type="button" data-from="${to}"${isThere ? '' : ' disabled'}>${name}</button>`
  return `<p class="pager">${button('Previous', Math.max(0, from - size), from > 0)}${button('Next', from + size, from + count < found)} <span>${words}${among}</span></p>
`
}

interface CellPlace {
  readonly at: number
  readonly column: Table['columns'][number] | undefined
  readonly isCards: boolean
}

/** A card repeats the title of the column next to each value. */
function cellText({ text, tip, best, failed, link }: Cell, { at, column, isCards }: CellPlace): string {
  const words = link === undefined ? breakable(text) : `<a href="#${escaped(link)}">${breakable(text)}</a>`
  if (at === 0) return `<th scope="row" role="rowheader">${words}</th>`
  const marks = [column?.number === true ? '' : 't', best === true ? 'b' : '', failed === true ? 'f' : '']
    .filter((mark) => mark !== '')
    .join(' ')
  const title = isCards ? ` data-title="${escaped(column?.title ?? '')}"` : ''
  return `<td role="cell"${marks === '' ? '' : ` class="${marks}"`}${title}${tip === undefined ? '' : ` title="${escaped(tip)}"`}>${words}</td>`
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
