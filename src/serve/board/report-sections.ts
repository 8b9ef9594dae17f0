/** The content of the folders as parts of the page: progress, scores, failures, searches, results one by one. */
import { dash, grouped, quantity } from '#core'
import { searchProgress } from '#experiment/search'
import { progressText } from '#experiment/workers'
import type { Watched } from '#result/ledger'
import {
  answer,
  breakable,
  type Cell,
  escaped,
  type Report,
  partOfRows,
  reportOf,
  resultCells,
  resultColumns,
  type Table,
  tableSection,
  tablesOf,
} from '#result/report'
import type { Seen } from './look.ts'
import { failedTable, pullsTable, runningTable } from './run-tables.ts'
import { shortHash, type Section, tablePart, textSection } from './section.ts'

export interface Shown extends Reported {
  readonly sections: readonly Section[]
  readonly seen: Seen
}

/** What takes long with many results. */
export interface Reported {
  /** Undefined while there is nothing to report. */
  readonly report: Report | undefined
  /** Tables of the report: those of scores, and the rest. */
  readonly scores: readonly Section[]
  readonly rest: readonly Section[]
}

export interface ShowOptions {
  readonly folders: readonly string[]
  readonly typeOf?: ((task: string) => string) | undefined
}

/** `reported`: a report to show again, of a moment ago; default: it is made anew. */
export async function show(seen: Seen, { folders, typeOf }: ShowOptions, reported?: Reported): Promise<Shown> {
  const { report, scores, rest } = reported ?? (await reportedIn(seen, typeOf))
  const runs = [runningTable(seen.runs), failedTable(seen.runs)].filter(({ rows }) => rows.length > 0)
  const pulls = seen.searches.filter(({ search }) => search.pulls.length > 0).map(pullsTable)
  const broken = seen.broken.length === 0 ? [] : [brokenTable(seen)]
  const list = listed(seen)
  const parts = [
    ...runs.map((table) => tablePart(table)),
    ...scores,
    ...(report === undefined ? [] : [picturesPlace]),
    ...pulls.map((table) => tablePart(table)),
    ...rest,
    ...broken.map((table) => tablePart(table)),
    ...(list === undefined ? [] : [list]),
  ]
  const now = textSection('now', 'Now', nowText(seen, { report, folders }))
  const sections = [now, textSection('contents', 'Contents', contents(parts)), ...parts]
  return { sections, report, scores, rest, seen }
}

/** No row is compared with another here: that takes the items of every result. */
async function reportedIn(seen: Seen, typeOf: ShowOptions['typeOf']): Promise<Reported> {
  const report = await reportIn(seen, typeOf)
  if (report === undefined) return { report, scores: [], rest: [] }
  const tables = tablesOf(report)
  const linked = (table: Table): Table => withLinks(table, report, seen)
  const isOpen = ({ id, isFolded }: Table): boolean => id !== 'coverage' && isFolded !== true
  return {
    report,
    scores: tables
      .filter(({ isScores }) => isScores === true)
      .map((table) => tablePart(table, { isOpen: table.isFolded !== true, finish: linked })),
    rest: tables
      .filter(({ isScores }) => isScores !== true)
      .map((table) => tablePart(table, { isOpen: isOpen(table) })),
  }
}

/** Drawn by the board, which paces them: drawing takes longer than anything else. */
const picturesPlace: Section = {
  id: 'pictures',
  title: 'Pictures',
  kind: 'pictures',
  isOpen: true,
  hash: '',
  html: () => '',
}

async function reportIn(seen: Seen, typeOf: ShowOptions['typeOf']): Promise<Report | undefined> {
  const searches = seen.searches.map(({ name, search }) => searchProgress(name, search))
  const read = seen.results.filter((one) => one.listed.length > 0)
  const recorded = recordedIn(seen)
  if (read.length + recorded.length + searches.length === 0) return undefined
  return reportOf([], {
    ...(read.length + recorded.length === 0 ? {} : { read, recorded }),
    beside: { searches, replays: [], similarities: [] },
    isTested: false,
    typeOf,
  })
}

/** Scores of lm-evaluation-harness, as its own files have them. */
function recordedIn({ harness }: Seen): { model: string; rows: RecordedRow[] }[] {
  const models = new Map<string, RecordedRow[]>()
  for (const { model, revision = '', task, score } of harness.flatMap(({ scores }) => scores)) {
    const rows = models.get(model) ?? []
    models.set(model, rows)
    rows.push({ checkpoint: revision, layer: 'logits', task, score })
  }
  return [...models].map(([model, rows]) => ({ model, rows }))
}

interface RecordedRow {
  readonly checkpoint: string
  readonly layer: string
  readonly task: string
  readonly score: number
}

interface NowParts {
  readonly report: Report | undefined
  readonly folders: readonly string[]
}

function nowText({ results, runs, searches, gone, isWhole }: Seen, { report, folders }: NowParts): string {
  const all = results.flatMap((one) => one.listed)
  const failed = all.filter(({ result }) => result?.strata?.status === 'failed').length
  const broken = all.filter(({ fault: problem }) => problem !== undefined).length
  const counts = [
    `${grouped(all.length)} ${all.length === 1 ? 'result' : 'results'}`,
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(broken === 0 ? [] : [`${quantity(broken, 'file')} could not be read`]),
    ...(runs.length === 0 ? [] : [quantity(runs.length, 'run')]),
    ...(searches.length === 0 ? [] : [quantity(searches.length, 'search', 'searches')]),
  ]
  const sentences = report === undefined ? [] : answer(report)
  return [
    ...(sentences.length === 0 ? [] : [`<p class="answer">${breakable(sentences.join(' '))}</p>`]),
    ...runs.map(({ name, status }, at) => {
      const done = status.done + status.failed.length
      return `<p class="run"><label id="run-${at}">${breakable(name)}</label> <progress aria-labelledby="run-${at}" max="${Math.max(1, status.jobs)}" value="${done}"></progress> <span>${progressText(status)}</span></p>`
    }),
    ...gone.map(
      (folder) => `<p class="f">The folder ${breakable(folder)} is gone; it is shown again once it is back.</p>`,
    ),
    ...(isWhole ? [] : [`<p class="note">The folders are being read: ${counts[0] ?? ''} so far.</p>`]),
    `<p class="note">${isWhole ? `${counts.join(', ')} in ` : ''}${breakable(folders.join(', '))}</p>`,
  ].join('\n')
}

function contents(parts: readonly Section[]): string {
  const shown = parts.filter(({ isOpen }) => isOpen)
  return `<nav aria-label="Contents"><ul>${shown
    .map(({ id, title }) => `<li><a href="#${escaped(id)}">${escaped(title)}</a></li>`)
    .join('')}</ul></nav>`
}

function brokenTable({ broken }: Seen): Table {
  return {
    id: 'broken',
    title: 'Runs, searches and harness files that could not be read',
    notes: [],
    columns: [{ title: 'path' }, { title: 'reason' }],
    rows: broken.map(({ path, message }) => [{ text: path }, { text: message, failed: true }]),
  }
}

/** The address of a result in the page; nothing of it is a path. */
export function resultLink(path: string): string {
  return `result=${shortHash(path)}`
}

/** Scores lead to their results. Only the rows that are sent are looked up. */
function withLinks(table: Table, { rows }: Report, { results }: Seen): Table {
  const byName = new Map(rows.map((row) => [row.name, row]))
  const names = table.rows.map(([first]) => first?.text ?? '')
  const columns = table.columns.map(({ title }) => title)
  const keyOf = (one: { model: string; revision: string; representation: string }, task: string): string =>
    `${one.model}\n${one.revision}\n${one.representation}\n${task}`
  // tasks are columns, or rows
  const wanted = new Set([...names, ...columns].flatMap((name) => byName.get(name) ?? []).map((row) => keyOf(row, '')))
  const paths = new Map<string, string>()
  for (const { listed: all } of results)
    for (const one of all)
      if (wanted.has(keyOf(one, '')) && !paths.has(keyOf(one, one.task))) paths.set(keyOf(one, one.task), one.path)
  const linked = (cell: Cell, name: string, column: string): Cell => {
    const [row, task] = byName.has(name) ? [byName.get(name), column] : [byName.get(column), name]
    const path = row === undefined ? undefined : paths.get(keyOf(row, task))
    return path === undefined || cell.text === dash ? cell : { ...cell, link: resultLink(path) }
  }
  return {
    ...table,
    rows: table.rows.map((cells, at) =>
      cells.map((cell, i) => (i === 0 ? cell : linked(cell, names[at] ?? '', columns[i] ?? ''))),
    ),
  }
}

/** Every result, the latest first. Cells are made for the rows that are sent, where nothing orders them otherwise. */
function listed({ results }: Seen): Section | undefined {
  const all = results.flatMap((one) => one.listed)
  const [first] = all
  if (first === undefined) return undefined
  const head: Omit<Table, 'rows'> = {
    id: 'results',
    title: 'Results, the latest first',
    notes: ['Each leads to its numbers and items.'],
    columns: [{ title: 'task' }, ...resultColumns.filter(({ title }) => title !== 'task'), { title: 'written' }],
  }
  const latest = all.reduce((last, one) => (one.at > last.at ? one : last), first)
  const hash = shortHash(`${all.length} ${latest.at} ${latest.path}`)
  let sorted: Watched[] | undefined
  return {
    id: head.id,
    title: head.title,
    kind: 'table',
    isOpen: true,
    hash,
    html: (view) => {
      sorted ??= all.sort((a, b) => b.at - a.at)
      const { table, part } = partOfRows(head, sorted, listedCells, view)
      return tableSection(table, { isOpen: true, part })
    },
  }
}

function listedCells(one: Watched): Cell[] {
  const [model = none, revision = none, representation = none, task = none, ...more] = resultCells(one)
  const written = new Date(one.at).toISOString()
  return [
    { ...task, link: resultLink(one.path) },
    model,
    revision,
    representation,
    ...more,
    { text: written.slice(0, 19).replace('T', ' '), tip: written },
  ]
}

const none: Cell = { text: '' }
