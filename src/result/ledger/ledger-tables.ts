/** A folder of results as tables: one row per result, number, item, pull of a search, or failure. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Fault, fault, meanOfAll } from '#core'
import { isObject } from '#files/formats'
import type { QueryTable, TableColumn, TableRow } from '#files/tables'
import { scoreMeans } from './document.ts'
import { type Listed, listResults } from './find-results.ts'
import { hiddenState } from './hidden-state.ts'
import type { ParseOptions } from './parse-result.ts'
import { itemsPath } from './paths.ts'

const columns = (text: string): TableColumn[] =>
  text.split(' ').map((one) => {
    const [name = '', type = 'text'] = one.split(':')
    return { name, type: type as TableColumn['type'] }
  })

const who = 'model revision representation layer:integer task type'

/** Every table with its columns, which do not depend on the results; docs/results-query.md describes them. */
export const ledgerTables = {
  results: columns(
    `${who} score:number english:number parts:integer seconds:number date parameters:integer width:integer profile mteb_version dataset_revision version fingerprint settings notices path`,
  ),
  scores: columns(`${who} split subset languages metric value:number`),
  /** Split, subset and scores come from the files. */
  items: columns(who),
  trajectories: columns(
    'search policy seq:integer arm checkpoint representation layer:integer by tasks:integer score:number reward:number scores failed seconds:number reused:integer',
  ),
  failures: columns(`${who} code reason seconds:number version path`),
} as const

export type LedgerTable = keyof typeof ledgerTables

export interface LedgerOptions extends ParseOptions {
  /** Type of a task; '' where it is not known. */
  readonly typeOf?: ((task: string) => string) | undefined
}

/**
 * The tables `names` of the folder, and the files in it that are not results. Throws `file.missing` for a folder that
 * does not exist.
 */
export async function tablesOfLedger(
  root: string,
  names: readonly LedgerTable[],
  { typeOf = () => '', ...options }: LedgerOptions = {},
): Promise<{ tables: QueryTable[]; unreadable: Fault[] }> {
  if (!existsSync(root)) throw fault('file.missing', { place: root, what: 'no such folder of results' })
  const listed = names.some((name) => name !== 'trajectories') ? await listResults(root, options) : []
  const whose = ({ model, revision, representation, task }: Listed): TableRow => ({
    model,
    revision,
    representation,
    layer: hiddenState(representation),
    task,
    type: typeOf(task),
  })
  const finished = listed.filter(({ result }) => result !== undefined && result.strata?.status !== 'failed')
  const table = async (name: LedgerTable): Promise<QueryTable> => {
    switch (name) {
      case 'results':
        return {
          name,
          columns: ledgerTables[name],
          rows: finished.map((one) => ({ ...whose(one), ...resultRow(one) })),
        }
      case 'scores':
        return { name, columns: ledgerTables[name], rows: scoreRows(finished, whose) }
      case 'items':
        return { name, columns: ledgerTables[name], ...itemFiles(root, finished, whose), rowColumn: 'item' }
      case 'trajectories':
        return { name, columns: ledgerTables[name], rows: await pullRows(root) }
      case 'failures':
        return {
          name,
          columns: ledgerTables[name],
          rows: listed.flatMap((one) =>
            one.result?.strata?.status === 'failed' ? [{ ...whose(one), ...failureRow(one) }] : [],
          ),
        }
      default:
        return name satisfies never
    }
  }
  return {
    tables: await Promise.all(names.map(table)),
    unreadable: listed.flatMap(({ fault: problem }) => problem ?? []),
  }
}

function resultRow({ result, path, parameters, width }: Listed): TableRow {
  const { scores = {}, strata, evaluation_time: time, date, mteb_version, dataset_revision } = result ?? {}
  const { all, english } = scoreMeans(scores)
  return {
    score: all,
    english,
    parts: Object.values(scores).flat().length,
    seconds: strata?.seconds ?? time,
    date: date === undefined ? null : new Date(1000 * date).toISOString(),
    parameters,
    width,
    profile: strata?.profile,
    mteb_version,
    dataset_revision,
    version: strata?.version,
    fingerprint: strata?.fingerprint,
    settings: strata === undefined ? null : JSON.stringify(strata.settings),
    notices: strata?.notices?.join('\n'),
    path,
  }
}

function failureRow({ result, path }: Listed): TableRow {
  const { code, reason, seconds, version } = result?.strata ?? {}
  return { code, reason, seconds, version, path }
}

/** One row per number: large ledgers have millions, so rows are made on demand. */
function* scoreRows(finished: readonly Listed[], whose: (one: Listed) => TableRow): Generator<TableRow> {
  for (const one of finished) {
    const shared = whose(one)
    for (const [split, subsets] of Object.entries(one.result?.scores ?? {}))
      for (const { hf_subset: subset, languages, ...metrics } of subsets)
        for (const [metric, value] of Object.entries(metrics))
          if (typeof value === 'number' || metric === 'main_score')
            yield { ...shared, split, subset, languages: languages.join(','), metric, value }
  }
}

function itemFiles(
  root: string,
  finished: readonly Listed[],
  whose: (one: Listed) => TableRow,
): Pick<QueryTable, 'files'> {
  return {
    files: finished.flatMap((one) => {
      const path = itemsPath(
        { root, model: one.model, revision: one.revision, representation: one.representation },
        one.task,
      )
      return existsSync(path) ? [{ path, values: whose(one) }] : []
    }),
  }
}

/** Every search in the folder, or up to two levels below it. */
async function pullRows(root: string): Promise<TableRow[]> {
  const folders = [root]
  for (const folder of [root, ...(await foldersIn(root))]) folders.push(...(await foldersIn(folder)))
  const rows: TableRow[] = []
  for (const folder of new Set(folders)) {
    const lines = await readFile(join(folder, 'trajectory.jsonl'), 'utf8').catch(() => '')
    if (lines === '') continue
    const summary = objectOf(await readFile(join(folder, 'search.json'), 'utf8').catch(() => ''))
    const [settings, rewards] = [summary['settings'], summary['rewards']].map((value) => (isObject(value) ? value : {}))
    // the last line of a search that is still running may be incomplete
    for (const line of lines.split('\n').slice(0, -1))
      rows.push(pullRow(objectOf(line), { search: relative(root, folder), settings, rewards }))
  }
  return rows
}

function pullRow(
  pull: Record<string, unknown>,
  {
    search,
    settings = {},
    rewards = {},
  }: { search: string; settings?: Record<string, unknown> | undefined; rewards?: Record<string, unknown> | undefined },
): TableRow {
  const scores = isObject(pull['scores']) ? pull['scores'] : {}
  const values = Object.values(scores).filter((value) => typeof value === 'number')
  const representation = text(pull['layer'])
  return {
    search,
    policy: text(settings['policy']),
    seq: whole(pull['seq']),
    arm: text(pull['arm']),
    checkpoint: text(pull['checkpoint']),
    representation,
    layer: representation === null ? null : hiddenState(representation),
    by: text(pull['by']),
    tasks: Array.isArray(pull['tasks']) ? pull['tasks'].length : null,
    score: meanOfAll(values),
    reward: number(rewards[String(pull['arm'])]),
    scores: JSON.stringify(scores),
    failed: text(pull['failed']),
    seconds: number(pull['seconds']),
    reused: whole(pull['reused']),
  }
}

function objectOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const whole = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort()
}
