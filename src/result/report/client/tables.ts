/**
 * In the browser: tables sort by their headers, filter by words, and open for a link or the printer – those that come
 * later too. A part of a table is sorted and filtered by its server.
 */

document.addEventListener('click', ({ target }) => {
  const header = (target as Element).closest<HTMLTableCellElement>('details.table:not([data-part]) thead th')
  const body = header?.closest('table')?.tBodies[0]
  if (header == null || body === undefined || (target as Element).closest('button') === null) return
  const order = nextOrder(header)
  const headers = [...(header.parentElement as HTMLTableRowElement).cells]
  for (const other of headers) other.ariaSort = other === header ? order : 'none'
  const [at, sign] = [header.cellIndex, order === 'ascending' ? 1 : -1]
  const numeric = header.classList.contains('n')
  body.append(
    ...[...body.rows].sort((a, b) =>
      numeric ? byNumber(a, b, at, sign) : sign * byText(textAt(a, at), textAt(b, at)),
    ),
  )
})

/** The first click shows the most wanted end: the highest number, the first name. */
function nextOrder(header: HTMLTableCellElement): 'ascending' | 'descending' {
  const first = header.classList.contains('n') ? 'descending' : 'ascending'
  const second = first === 'ascending' ? 'descending' : 'ascending'
  return header.ariaSort === first ? second : first
}

document.addEventListener('input', ({ target }) => {
  const section = (target as Element).closest('details.table:not([data-part])')
  const body = section?.querySelector('table')?.tBodies[0]
  if (!(target instanceof HTMLInputElement) || section == null || body === undefined) return
  const words = target.value.toLowerCase().split(/\s+/)
  let shown = 0
  for (const row of body.rows) {
    const text = (row.textContent ?? '').toLowerCase()
    row.hidden = !words.every((word) => text.includes(word))
    if (!row.hidden) shown++
  }
  const count = section.querySelector('output')
  if (count !== null) count.value = target.value.trim() === '' ? '' : `${shown} of ${body.rows.length} rows`
})

function openLinked(): void {
  const linked = document.getElementById(location.hash.slice(1))
  if (linked instanceof HTMLDetailsElement) linked.open = true
}
addEventListener('hashchange', openLinked)
openLinked()

const closed: HTMLDetailsElement[] = []
addEventListener('beforeprint', () => {
  for (const one of document.querySelectorAll('details')) {
    if (one.open) continue
    closed.push(one)
    one.open = true
  }
})
addEventListener('afterprint', () => {
  for (const one of closed.splice(0)) one.open = false
})

/** Cells without a number come last in either direction. */
function byNumber(a: HTMLTableRowElement, b: HTMLTableRowElement, at: number, sign: number): number {
  const [left, right] = [numberIn(textAt(a, at)), numberIn(textAt(b, at))]
  if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
  return sign * (left - right)
}

/** Reads `−1.20`, `12 of 41`, `45.07 ↑`; `< 0.001` sorts below 0.001. */
function numberIn(text: string): number {
  const below = text.startsWith('<')
  const value = Number.parseFloat(text.replace('<', '').replace('−', '-').replace('+', ''))
  return below ? value - 1e-9 : value
}

const collator = new Intl.Collator('en', { numeric: true })
function byText(a: string, b: string): number {
  return collator.compare(a, b)
}

function textAt(row: HTMLTableRowElement, at: number): string {
  return row.cells[at]?.textContent?.trim() ?? ''
}
