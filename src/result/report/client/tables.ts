/** In the browser: tables sort by their headers, filter by words, and open for a link or the printer. */

for (const section of document.querySelectorAll<HTMLElement>('details.table')) {
  const [table, input, count] = [
    section.querySelector('table'),
    section.querySelector('input'),
    section.querySelector('output'),
  ]
  const body = table?.tBodies[0]
  if (table == null || body === undefined) continue
  const headers = [...table.querySelectorAll<HTMLTableCellElement>('thead th')]
  headers.forEach((header, at) =>
    header.querySelector('button')?.addEventListener('click', () => {
      const rows = [...body.rows]
      const numeric = header.classList.contains('n')
      // the first click shows the most wanted end: the highest number, the first name
      const [first, second] = numeric ? (['descending', 'ascending'] as const) : (['ascending', 'descending'] as const)
      const order = header.ariaSort === first ? second : first
      for (const other of headers) other.ariaSort = other === header ? order : 'none'
      const sign = order === 'ascending' ? 1 : -1
      rows.sort((a, b) => (numeric ? byNumber(a, b, at, sign) : sign * byText(textAt(a, at), textAt(b, at))))
      body.append(...rows)
    }),
  )
  input?.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    let shown = 0
    for (const row of body.rows) {
      const text = (row.textContent ?? '').toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
      if (!row.hidden) shown++
    }
    if (count !== null) count.value = input.value.trim() === '' ? '' : `${shown} of ${body.rows.length} rows`
  })
}

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
