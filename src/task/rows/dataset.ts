/** A data set opened for a task: its files, and columns of its splits. */
import { asFault, Fault, fault } from '#core'
import { readColumns, type ReadOptions } from '#files/tables'
import { type CarriedTask, openCarried } from './carried-files.ts'
import { classNumbers } from './class-labels.ts'
import type { DatasetConfig } from './dataset-layout.ts'
import { describedConfig } from './described-config.ts'
import { openDatasetAt } from './open-dataset.ts'
import type { Dataset, OpenDataset } from './opened-dataset.ts'
import { splitSources } from './split-sources.ts'

export type { Dataset, DatasetFiles, OpenDataset } from './opened-dataset.ts'

/** Columns of one split, every array `rows` long. */
export interface Rows {
  readonly rows: number
  readonly columns: Record<string, unknown[]>
  /** For messages. */
  readonly place: string
  readonly classLabels: ReadonlyMap<string, readonly string[]>
  /** From separated values, where everything is text. */
  readonly untyped: boolean
  /** Files behind the numbers of the column `originColumn`. */
  readonly files?: readonly string[] | undefined
  /** Rows of the split before these, when they are a batch of it. */
  readonly first?: number
}

/** Column of rows that know where they come from: number of the file × 2³² + line. */
export const originColumn = '#origin'
const fileStep = 2 ** 32

/** A row for messages: file and line where they are known. */
export function rowPlace({ columns, files, place, first = 0 }: Rows, row: number): string {
  const origin = columns[originColumn]?.[row]
  const file = typeof origin === 'number' ? files?.[Math.floor(origin / fileStep)] : undefined
  return file === undefined ? `${place} › row ${first + row + 1}` : `${file}:${(origin as number) % fileStep}`
}

interface Place {
  readonly path: string
  readonly revision: string
}

/** The task's data set – from the package where that carries it –, or where older versions had it when it cannot be had there. */
export async function openTaskDataset(
  task: Omit<CarriedTask, 'carried'> & { carried?: string | undefined; aliases: readonly Place[] },
  open: OpenDataset,
): Promise<Dataset> {
  const { name, dataset, carried } = task
  if (carried !== undefined) return openCarried({ name, dataset, carried })
  let first: Fault | undefined
  for (const { path, revision } of [task.dataset, ...task.aliases]) {
    try {
      return await openDatasetAt(open, path, revision, `${task.name} › ${path}`)
    } catch (error) {
      const problem = asFault(error, 'file.unreadable', `${task.name} › ${path}`)
      if (!['hub.missing', 'hub.offline', 'task.unsupported'].includes(problem.code)) throw problem
      first ??= problem
    }
  }
  throw first ?? fault('internal', { place: task.name, what: 'no data set' })
}

export interface ReadSplit {
  columns: readonly string[]
  /** Null where there are none. */
  optional?: readonly string[]
  /** Columns that hold numbers in separated-value files. */
  numeric?: readonly string[]
}

/**
 * Reads `columns` (all required) and `optional` of a split; files in order. Throws `task.split`, `task.column`,
 * `task.empty` and what reading throws.
 */
export async function readSplit(
  dataset: Dataset,
  given: DatasetConfig,
  split: string,
  { columns, optional = [], numeric = [] }: ReadSplit,
): Promise<Rows> {
  const config = await describedConfig(dataset, given, split)
  const place = `${dataset.place} › ${config.name} › ${split}`
  const { nameOf, ...source } = sourceColumns(config, columns, optional)
  const merged: Record<string, unknown[]> = Object.fromEntries([...columns, ...optional].map((name) => [name, []]))
  const files: string[] = []
  const origins: unknown[] = []
  let rows = 0
  let untyped = false
  for await (const { path, options, separated } of splitSources(dataset, config, split)) {
    untyped ||= separated
    const table = await readFile(path, { ...source, ...options, numeric: separated ? numeric.map(nameOf) : undefined })
    for (const [name, values] of Object.entries(merged)) {
      const own = table.columns[nameOf(name)]
      for (let i = 0; i < table.rows; i++) values.push(own?.[i] ?? null)
    }
    if (config.traced)
      for (const line of table.columns[originColumn] ?? []) origins.push(files.length * fileStep + Number(line))
    if (config.traced) files.push(`${dataset.place} › ${path}`)
    rows += table.rows
  }
  if (rows === 0) throw fault('task.empty', { place, what: 'the split has no rows' })
  for (const [name, names] of config.classLabels)
    if (merged[name] !== undefined) merged[name] = classNumbers(merged[name], names, place)
  return {
    rows,
    columns: config.traced ? { ...merged, [originColumn]: origins } : merged,
    place,
    classLabels: config.classLabels,
    untyped,
    files: config.traced ? files : undefined,
  }
}

/** The columns to read from the files for the wanted ones. A column that somebody named is no longer optional. */
export function sourceColumns(
  { names, traced }: DatasetConfig,
  columns: readonly string[],
  optional: readonly string[],
): { columns: string[]; optional: string[]; lineColumn: string | undefined; nameOf: (name: string) => string } {
  const nameOf = (name: string): string => names?.get(name) ?? name
  const required = [...columns, ...optional.filter((name) => names?.has(name))]
  return {
    columns: [...new Set(required.map(nameOf))],
    optional: [...new Set(optional.filter((name) => !names?.has(name)))],
    nameOf,
    lineColumn: traced ? originColumn : undefined,
  }
}

async function readFile(path: string, options: ReadOptions): ReturnType<typeof readColumns> {
  try {
    return await readColumns([path], options)
  } catch (error) {
    if (error instanceof Fault && error.code === 'table.column')
      throw new Fault('task.column', { ...error.parts, cause: error })
    throw error
  }
}
