/** One result: where it comes from, every number, its items with their texts. */
import { asFault, dash, decimals, type Scores } from '#core'
import type { ItemPlace } from '#experiment/compare'
import { readResult, type StoredResult, type Watched } from '#result/ledger'
import {
  breakable,
  type Cell,
  escaped,
  numbers,
  partOfRows,
  partsTable,
  type Table,
  tableSection,
  type TableView,
} from '#result/report'
import { readItems } from '#result/statistics'
import type { Seen } from './look.ts'
import { resultLink } from './report-sections.ts'

/** Texts of single items of a task; its exception is the reason why they are not shown. */
export type TextsOf = (task: string, items: readonly ItemPlace[]) => Promise<readonly (readonly string[] | null)[]>

export interface ResultView extends TableView {
  /** As in the page's address. */
  readonly id: string
}

/** Undefined where no result has this address. */
export async function resultHtml(
  { results }: Seen,
  { id, ...view }: ResultView,
  textsOf: TextsOf | undefined,
): Promise<string | undefined> {
  for (const { root, listed } of results) {
    const one = listed.find(({ path }) => resultLink(path) === `result=${id}`)
    if (one === undefined) continue
    const found = await readResult(one.path, { acceptEmpty: true })
    const parts = found?.result === undefined ? [`<p class="f">${escaped(whyNot(found))}</p>`] : about(found.result)
    const scores = found?.result?.scores ?? {}
    const tables =
      Object.keys(scores).length === 0
        ? ''
        : `${tableSection(partsTable(scores), { isOpen: true })}\n${await itemsHtml({ root, one, scores }, view, textsOf)}`
    return `${heading(`${one.task} · ${one.representation}`)}
<p class="note">${breakable(`${one.model} @ ${one.revision}`)}</p>
<p class="note">${breakable(one.path)}</p>
${parts.join('\n')}
${tables}`
  }
  return undefined
}

/** A view over the page, with the way back. */
export function heading(text: string): string {
  return `<p><a href="#">Close</a></p>\n<h2 tabindex="-1">${breakable(text)}</h2>`
}

function whyNot(found: Awaited<ReturnType<typeof readResult>>): string {
  return found?.fault?.message ?? 'The file is gone.'
}

function about({ strata, dataset_revision: data, evaluation_time: time, mteb_version: mteb }: StoredResult): string[] {
  const seconds = strata?.seconds ?? time
  const facts = [
    ...(data === undefined ? [] : [`data ${data}`]),
    ...(mteb === undefined ? [] : [`mteb ${mteb}`]),
    ...(strata === undefined ? [] : [`strata ${strata.version}, ${strata.profile}`]),
    ...(seconds === undefined ? [] : [`${decimals(seconds, 2)} s`]),
  ]
  const settings = Object.entries(strata?.settings ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [
    ...(strata?.status === 'failed'
      ? [`<p class="f">Failed, ${escaped(strata.code ?? 'without a code')}: ${escaped(strata.reason ?? '')}</p>`]
      : []),
    `<p class="note">${escaped(facts.join(' · '))}</p>`,
    ...(settings.length === 0 ? [] : [`<p class="note">${breakable(settings.join(' · '))}</p>`]),
    ...(strata?.notices ?? []).map((notice) => `<p class="note">Notice: ${escaped(notice)}</p>`),
  ]
}

interface ItemRow extends ItemPlace {
  readonly values: Readonly<Record<string, unknown>>
}

interface ItemsOf {
  readonly root: string
  readonly one: Watched
  readonly scores: Scores
}

async function itemsHtml(
  { root, one: { model, revision, representation, task } }: ItemsOf,
  view: TableView,
  textsOf: TextsOf | undefined,
): Promise<string> {
  const found = await readItems({ root, model, revision, representation }, task).catch((error: unknown) =>
    asFault(error, 'table.read', task),
  )
  if (found === undefined) return '<p class="note">Scores of single items are not stored.</p>'
  if (found instanceof Error) return `<p class="f">${escaped(found.message)}</p>`
  const rows = [...found].flatMap(([key, columns]) => rowsIn(key, columns))
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const isNumber = (name: string): boolean => rows.some(({ values }) => typeof values[name] === 'number')
  const head: Omit<Table, 'rows'> = {
    id: 'items',
    title: 'Items',
    notes: [],
    columns: [
      ...numbers('item'),
      { title: 'part' },
      ...names.map((title) => ({ title, number: isNumber(title) })),
      ...(textsOf === undefined ? [] : [{ title: 'texts' }]),
    ],
  }
  const cells = ({ split, subset, item, values }: ItemRow): Cell[] => [
    { text: String(item), value: item },
    { text: `${split} ${subset}` },
    ...names.map((name) => valueCell(values[name])),
  ]
  const places = new Map<readonly Cell[], ItemRow>()
  const { table, part } = partOfRows(
    head,
    rows,
    (row) => {
      const made = cells(row)
      places.set(made, row)
      return made
    },
    view,
  )
  const shown = table.rows.flatMap((row) => places.get(row) ?? [])
  const texts = await textsOf?.(task, shown).catch((error: unknown) => asFault(error, 'table.read', task))
  const notes = texts instanceof Error ? [`The texts are not shown: ${texts.message}.`] : []
  const withTexts = table.rows.map((row, at) =>
    textsOf === undefined ? row : [...row, textCell(texts instanceof Error ? undefined : texts?.[at])],
  )
  return tableSection({ ...table, notes, rows: withTexts }, { isOpen: true, part })
}

function rowsIn(key: string, columns: Readonly<Record<string, readonly unknown[]>>): ItemRow[] {
  const [split = '', subset = ''] = key.split('\n')
  const of = Math.max(0, ...Object.values(columns).map(({ length }) => length))
  return Array.from({ length: of }, (_, item) => {
    const values = Object.fromEntries(Object.entries(columns).map(([name, all]) => [name, all[item]]))
    const { query } = values
    return { split, subset, item, of, values, ...(typeof query === 'string' ? { query } : {}) }
  })
}

function valueCell(value: unknown): Cell {
  if (typeof value === 'number') return { text: Number.isInteger(value) ? String(value) : decimals(value, 4), value }
  return { text: typeof value === 'string' ? value : dash, value: null }
}

function textCell(texts: readonly string[] | null | undefined): Cell {
  return { text: texts == null ? dash : texts.join(' | ').slice(0, longest) }
}

/** Characters of an item's texts. */
const longest = 1000
