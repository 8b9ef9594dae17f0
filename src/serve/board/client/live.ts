/**
 * In the browser: follows the board. The server says what there is to show; this asks for what changed and is open, and
 * puts it where it was, so that focus, scrolling and open tables stay.
 */

interface Part {
  readonly id: string
  readonly title: string
  readonly kind: 'text' | 'table' | 'pictures'
  readonly isOpen: boolean
  readonly hash: string
}

interface Notice {
  readonly board: string
  readonly isWhole: boolean
  readonly sections: readonly Part[]
}

interface View {
  readonly sort?: number | undefined
  readonly order?: string | undefined
  readonly words?: string | undefined
  readonly from?: number | undefined
}

const [state, keyForm, compareForm, detail, holder] = ['state', 'key', 'compare', 'detail', 'board'].map((id) =>
  document.getElementById(id),
) as [HTMLElement, HTMLFormElement, HTMLFormElement, HTMLElement, HTMLElement]
const keyName = 'strata-board-key'
/** Milliseconds without a word from the server after which the connection counts as lost. */
const silence = 40_000

let parts: readonly Part[] = []
let server: string | undefined
/** By part: the hash of the content on the screen, and the rows that were asked for. */
const shown = new Map<string, string>()
const views = new Map<string, View>()

function headers(): Record<string, string> {
  const key = sessionStorage.getItem(keyName)
  return { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
}

function say(text: string): void {
  if (state.textContent !== text) state.textContent = text
}

async function ask(path: string, body: object): Promise<{ html: string } & { names: string[]; of: number }> {
  const response = await fetch(path, { method: 'POST', headers: headers(), body: JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer?.error?.message ?? `the server answered ${response.status}`)
  return answer
}

/* The connection. */

async function follow(): Promise<void> {
  let pause = 500
  for (;;) {
    try {
      await listen(() => (pause = 500))
    } catch (error) {
      if (error instanceof Locked) return showKeyForm()
    }
    if (document.hidden) {
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
      continue
    }
    say('The server does not answer; this page tries again and shows what it last knew.')
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(2 * pause, 10_000)
  }
}

class Locked extends Error {}

/** Reads events until the connection ends. */
async function listen(onOpen: () => void): Promise<void> {
  const lost = new AbortController()
  // a browser has six connections to a server: pages that nobody sees leave theirs to the others
  const onHidden = (): void => {
    if (document.hidden) lost.abort()
  }
  document.addEventListener('visibilitychange', onHidden)
  let timer = setTimeout(() => lost.abort(), silence)
  try {
    const response = await fetch('/events', { headers: headers(), signal: lost.signal })
    if (response.status === 401) throw new Locked()
    if (!response.ok || response.body === null) return
    onOpen()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => lost.abort(), silence)
      const events = (rest + value).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event.replace(/^data: /, '')
        if (data !== '[DONE]') take(JSON.parse(data))
      }
    }
  } finally {
    document.removeEventListener('visibilitychange', onHidden)
    clearTimeout(timer)
    lost.abort()
  }
}

function take(notice: Notice | Record<string, never>): void {
  if (!('sections' in notice)) return
  const { board, sections, isWhole } = notice as Notice
  const isRestarted = server !== undefined && server !== board
  server = board
  const words = isRestarted ? 'Live again: the server was started anew.' : 'Live'
  say(isWhole ? words : 'Live; the server still reads the folders.')
  parts = sections
  const old = Array.from(holder.children).filter((one) => !parts.some(({ id }) => one.id === `at-${id}`))
  for (const one of old) remove(one)
  parts.forEach((part, at) => {
    const place = placeOf(part)
    if (holder.children[at] !== place) holder.insertBefore(place, holder.children[at] ?? null)
  })
  compareForm.hidden = !parts.some(({ id }) => /^(?:models|representations)/.test(id))
  void update()
}

function remove(place: Element): void {
  shown.delete(place.id.slice('at-'.length))
  place.remove()
}

function placeOf({ id, title, kind, isOpen }: Part): HTMLElement {
  const known = document.getElementById(`at-${id}`)
  if (known !== null) return known
  const place = document.createElement('div')
  place.id = `at-${id}`
  if (kind === 'table' && !isOpen) {
    const [table, summary, heading] = ['details', 'summary', 'h2'].map((name) => document.createElement(name)) as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ]
    table.className = 'table'
    table.id = id
    heading.textContent = title
    summary.append(heading)
    table.append(summary)
    place.append(table)
  }
  return place
}

/* Parts, one after another: the server is asked for nothing twice. */

let isUpdating = false
async function update(): Promise<void> {
  if (isUpdating) return
  isUpdating = true
  try {
    for (let part = nextPart(); part !== undefined; part = nextPart()) {
      shown.set(part.id, part.hash)
      await refresh(part.id).catch(() => undefined)
    }
  } finally {
    isUpdating = false
  }
}

/** Pictures come last: they take longest. */
function nextPart(): Part | undefined {
  const due = parts.filter(({ id, hash, kind, isOpen }) => {
    const table = document.getElementById(id)
    const isVisible = kind !== 'table' || (table instanceof HTMLDetailsElement ? table.open : isOpen)
    return isVisible && shown.get(id) !== hash
  })
  return due.find(({ kind }) => kind !== 'pictures') ?? due[0]
}

async function refresh(id: string): Promise<void> {
  const { html } = await ask('/part', { id, ...views.get(id) })
  const place = document.getElementById(`at-${id}`)
  if (place !== null) put(place, html)
}

/** The same nodes wherever they can stay. */
function put(place: Element, html: string): void {
  const next = document.createElement('template')
  next.innerHTML = html
  become(place, next.content)
}

function become(old: Node, next: Node): void {
  const [olds, nexts] = [[...old.childNodes], [...next.childNodes]]
  nexts.forEach((to, at) => {
    const from = olds[at]
    if (from === undefined) old.appendChild(to)
    else if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || idOf(from) !== idOf(to))
      old.replaceChild(to, from)
    else if (from instanceof Element && to instanceof Element) {
      if (from.isEqualNode(to)) return
      if (from.nodeName.toLowerCase() === 'svg') old.replaceChild(to, from)
      else {
        sameAttributes(from, to)
        become(from, to)
      }
    } else if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue
  })
  for (const from of olds.slice(nexts.length)) from.remove()
}

function idOf(node: Node): string {
  return node instanceof Element ? node.id : ''
}

/** Whoever opened or closed a table decides that. */
function sameAttributes(from: Element, to: Element): void {
  for (const { name, value } of to.attributes)
    if (name !== 'open' && from.getAttribute(name) !== value) from.setAttribute(name, value)
  const left = Array.from(from.attributes, ({ name }) => name).filter(
    (name) => name !== 'open' && !to.hasAttribute(name),
  )
  for (const name of left) from.removeAttribute(name)
}

/* Tables: their server sorts, filters and turns the pages. */

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest('button')
  const table = button?.closest<HTMLElement>('details[data-part]')
  if (button == null || table == null) return
  const header = button.closest('th')
  const view = views.get(viewId(table)) ?? {}
  if (header !== null) {
    const first = header.classList.contains('n') ? 'descending' : 'ascending'
    const second = first === 'ascending' ? 'descending' : 'ascending'
    see(table, { ...view, sort: header.cellIndex, order: header.ariaSort === first ? second : first, from: 0 })
  } else if (button.dataset['from'] !== undefined) see(table, { ...view, from: Number(button.dataset['from']) })
})

let typed: ReturnType<typeof setTimeout> | undefined
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const table = target.closest<HTMLElement>('details[data-part]')
  if (table === null) return
  clearTimeout(typed)
  typed = setTimeout(() => see(table, { ...views.get(viewId(table)), words: target.value, from: 0 }), 150)
})

document.addEventListener('toggle', () => void update(), { capture: true })

/** Items of a result are a view of that result. */
function viewId(table: HTMLElement): string {
  return detail.contains(table) ? location.hash : table.id
}

function see(table: HTMLElement, view: View): void {
  const id = viewId(table)
  views.set(id, view)
  void (detail.contains(table) ? showDetail({ isMoved: false }) : refresh(id)).catch((error: Error) =>
    say(error.message),
  )
}

/* One result, or two rows side by side. */

async function showDetail({ isMoved }: { isMoved: boolean }): Promise<void> {
  const [, kind, value = ''] = /^#(result|compare)=(.*)$/.exec(location.hash) ?? []
  const wasShown = !detail.hidden
  detail.hidden = kind === undefined
  if (kind === undefined) {
    detail.replaceChildren()
    if (wasShown && location.hash === '') holder.querySelector<HTMLElement>('summary, a')?.focus()
    return
  }
  if (isMoved) put(detail, '<p class="note">Loading …</p>')
  const hash = location.hash
  const [first = '', second = ''] = value.split('&').map(decodeURIComponent)
  const asked =
    kind === 'result' ? ask('/result', { id: value, ...views.get(hash) }) : ask('/compare', { first, second })
  const html = await asked.then(
    (answer) => answer.html,
    (error: Error) => {
      const line = document.createElement('p')
      line.className = 'f'
      line.textContent = error.message
      return `<p><a href="#">Close</a></p>${line.outerHTML}`
    },
  )
  if (location.hash !== hash) return
  put(detail, html)
  if (isMoved) {
    const heading = detail.querySelector<HTMLElement>('h2') ?? detail.querySelector('a')
    heading?.focus({ preventScroll: true })
    detail.scrollIntoView({ block: 'start' })
  }
}
addEventListener('hashchange', () => void showDetail({ isMoved: true }))

compareForm.addEventListener('submit', (event) => {
  event.preventDefault()
  const names = [...compareForm.querySelectorAll('input')].map(({ value }) => encodeURIComponent(value))
  location.hash = `compare=${names.join('&')}`
})
compareForm.addEventListener(
  'input',
  ({ target }) => void offer((target as HTMLInputElement).value).catch(() => undefined),
)
compareForm.addEventListener('focusin', () => void offer('').catch(() => undefined), { once: true })

async function offer(words: string): Promise<void> {
  const { names } = await ask('/names', { words })
  document.getElementById('rows')?.replaceChildren(
    ...names.map((name) => {
      const option = document.createElement('option')
      option.value = name
      return option
    }),
  )
}

/* The key, where the server asks for one. */

function showKeyForm(): void {
  say(
    sessionStorage.getItem(keyName) === null
      ? 'The server asks for its key.'
      : 'The key is wrong: the server asks for its key.',
  )
  keyForm.hidden = false
  keyForm.querySelector('input')?.focus()
}

keyForm.addEventListener('submit', (event) => {
  event.preventDefault()
  sessionStorage.setItem(keyName, keyForm.querySelector('input')?.value ?? '')
  keyForm.hidden = true
  start()
})

function start(): void {
  void follow()
  void showDetail({ isMoved: true })
}
start()
