/**
 * Row sources → rows: from the data set or from each other, joined, after their steps. Only columns that somebody needs
 * are read.
 */
import { fault } from '#core'
import { type Dataset, type OpenDataset, readSplit, type Rows } from '../dataset.ts'
import { configNamed, type DatasetConfig } from '../dataset-layout.ts'
import type { PartOf } from '../loaded-task.ts'
import { openDatasetAt } from '../open-dataset.ts'
import { splitsByName } from '../split-files.ts'
import { streamSplit } from '../stream-split.ts'
import { columnOf, pythonText, withColumn } from '../steps/step.ts'
import { applySteps, rawColumns, rawSplits } from '../steps/table.ts'
import type { TaskInfo } from '../task.ts'
import type { Join, RowSource } from './tables.ts'

/** Columns that are needed of a source, after its steps. */
export interface Needs {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** Those that hold numbers in separated-value files. */
  readonly numeric?: readonly string[]
}

export interface Table {
  readonly source: RowSource
  readonly needs: Needs
}

export interface TableScope {
  readonly task: TaskInfo
  readonly dataset: Dataset
  readonly part: PartOf
  readonly open: OpenDataset
  readonly signal?: AbortSignal | undefined
}

export interface TableReader<Name extends string> {
  /**
   * All rows of a table. Throws `task.subset`, `task.split`, `task.column`, `task.empty`, `task.value` and what reading
   * throws.
   */
  rows(name: Name): Promise<Rows>
  /** The same some thousands at a time, where they come as they are in the data set. */
  batches(name: Name): AsyncGenerator<Rows>
}

/** Nothing is read before it is asked for, and rows that several tables are made of only once. */
export function tableReader<Name extends string>(
  tables: Readonly<Partial<Record<Name, Table>>>,
  sources: Readonly<Record<string, RowSource>>,
  scope: TableScope,
): TableReader<Name> {
  const named = allNeeds(Object.values<Table>(tables as Record<Name, Table>), sources, scope.part)
  const known = new Map<string, Promise<Rows>>()
  const made = (name: string): Promise<Rows> => {
    const table = named.get(name)
    if (table === undefined) throw fault('internal', { place: `${scope.task.name} › ${name}`, what: 'no such rows' })
    const rows = known.get(name) ?? rowsOf(table, made, scope)
    known.set(name, rows)
    return rows
  }
  const tableNamed = (name: Name): Table => {
    const table = tables[name]
    if (table === undefined) throw fault('internal', { place: `${scope.task.name} › ${name}`, what: 'no such table' })
    return table
  }
  return {
    rows: (name) => rowsOf(tableNamed(name), made, scope),
    async *batches(name) {
      const table = tableNamed(name)
      if (isMade(table.source)) yield await rowsOf(table, made, scope)
      else {
        const { dataset, config, split } = await place(table.source, scope)
        const { required, optional = [] } = table.needs
        yield* streamSplit(dataset, config, split, { columns: required, optional, signal: scope.signal })
      }
    },
  }
}

function isMade({ of, join, steps = [] }: RowSource): boolean {
  return of !== undefined || join !== undefined || steps.length > 0
}

/** Named sources in the order they are made, with what all that is made of them needs. */
function allNeeds(
  tables: readonly Table[],
  sources: Readonly<Record<string, RowSource>>,
  part: PartOf,
): Map<string, Table> {
  const needs = new Map<string, Needs>()
  const ask = (name: string, { required, optional = [], numeric = [] }: Needs): void => {
    const known = needs.get(name)
    needs.set(name, {
      required: [...new Set([...(known?.required ?? []), ...required])],
      optional: [...new Set([...(known?.optional ?? []), ...optional])],
      numeric: [...new Set([...(known?.numeric ?? []), ...numeric])],
    })
  }
  const askAll = ({ source, needs: own }: Table): void => {
    if (source.of !== undefined) ask(source.of, before(source, own, part))
    if (source.join !== undefined)
      ask(source.join.with, { required: [source.join.equals ?? source.join.on, ...Object.keys(source.join.take)] })
  }
  for (const table of tables) askAll(table)
  const found: [string, Table][] = []
  for (const [name, source] of Object.entries(sources).reverse()) {
    const table = { source, needs: needs.get(name) ?? { required: [] } }
    askAll(table)
    found.push([name, table])
  }
  return new Map(found.reverse())
}

/** The columns needed before the steps and the join of a source. */
function before(
  { join, steps = [] }: RowSource,
  { required, optional = [], numeric = [] }: Needs,
  { subset }: PartOf,
): Needs {
  const needed = new Set(rawColumns(required, steps, { subset }))
  if (join !== undefined) {
    for (const name of Object.values(join.take)) needed.delete(name)
    needed.add(join.on)
  }
  return {
    required: [...needed],
    optional: optional.filter((name) => !needed.has(name)),
    numeric: numeric.filter((name) => needed.has(name)),
  }
}

async function rowsOf(
  { source, needs }: Table,
  made: (name: string) => Promise<Rows>,
  scope: TableScope,
): Promise<Rows> {
  const { of, join, split = scope.part.split, steps = [] } = source
  const splits =
    of === undefined
      ? await rawRows(source, before(source, needs, scope.part), scope)
      : new Map([[split, await made(of)]])
  const others = join === undefined ? undefined : await made(join.with)
  const joined =
    join === undefined || others === undefined
      ? splits
      : new Map([...splits].map(([name, rows]) => [name, withJoined(rows, join, others)]))
  const all = applySteps(joined, steps, { subset: scope.part.subset })
  const rows = all.get(split) ?? (source.anySplit ? [...all.values()][0] : undefined)
  if (rows === undefined) throw fault('task.split', { place: scope.dataset.place, what: `no split ${split}` })
  return rows
}

/** The splits that the source's steps need, as they are in the data set. */
async function rawRows(
  source: RowSource,
  { required, optional = [], numeric = [] }: Needs,
  scope: TableScope,
): Promise<ReadonlyMap<string, Rows>> {
  const { dataset, config, split } = await place(source, scope)
  const splits = new Map<string, Rows>()
  for (const name of rawSplits([split], source.steps ?? [], {
    subset: scope.part.subset,
    all: [...config.splits.keys()],
  })) {
    splits.set(name, await readSplit(dataset, config, name, { columns: required, optional, numeric }))
  }
  return splits
}

/** Where a source lies: data set, config, split. */
async function place(
  source: RowSource,
  scope: TableScope,
): Promise<{ dataset: Dataset; config: DatasetConfig; split: string }> {
  const { split = scope.part.split, anySplit = false } = source
  const dataset = source.repo === undefined ? scope.dataset : await otherDataset(source.repo, scope)
  const config = await configOf({ ...source, split }, dataset, scope.task)
  const [only, ...more] = [...config.splits.keys()]
  return {
    dataset,
    config,
    split: anySplit && !config.splits.has(split) && only !== undefined && more.length === 0 ? only : split,
  }
}

async function otherDataset(repo: string, { task, open }: TableScope): Promise<Dataset> {
  return openDatasetAt(open, repo, 'main', `${task.name} › ${repo}`)
}

async function configOf(
  { repo, config, folder, file, split = '' }: RowSource,
  { files, layout, place }: Dataset,
  task: TaskInfo,
): Promise<DatasetConfig> {
  const paths = file === undefined && folder === undefined ? [] : await files.list()
  if (file !== undefined && paths.includes(file))
    return { name: file, splits: new Map([[split, [file]]]), classLabels: new Map() }
  const prefix = `${folder ?? ''}/`
  const inside = paths
    .filter((path) => folder !== undefined && path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
  if (inside.length > 0) {
    const splits = [...splitsByName(inside)].map(([own, names]) => [own, names.map((path) => prefix + path)] as const)
    return { name: prefix, splits: new Map(splits), classLabels: new Map() }
  }
  const name = config ?? (repo === undefined ? task.dataset.config : undefined)
  if (name !== undefined) return configNamed(layout, name, place)
  if (layout.standard !== undefined) return layout.standard
  throw fault('task.subset', {
    place,
    what: 'the data set has several configs and none is the default',
    seen: [...layout.configs.keys()],
  })
}

function withJoined(rows: Rows, { on, equals = on, take }: Join, others: Rows): Rows {
  const places = new Map(columnOf(others, equals).map((value, i) => [pythonText(value), i]))
  const found = columnOf(rows, on).map((value, i) => {
    const place = places.get(pythonText(value))
    if (place !== undefined) return place
    throw fault('task.value', {
      place: `${rows.place} › row ${i + 1}`,
      what: `no row of ${others.place} has this ${equals}`,
      seen: value,
    })
  })
  return Object.entries(take).reduce((wide, [from, to]) => {
    const values = columnOf(others, from)
    return withColumn(
      wide,
      to,
      found.map((place) => values[place]),
    )
  }, rows)
}
