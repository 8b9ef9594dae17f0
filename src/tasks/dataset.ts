/** A data set opened for a task: its files, and columns of its splits. */
import { asFault, Fault, fault, type RepoFiles } from '../core/index.ts'
import { readColumns, splitName, tableFormat } from '../tables/index.ts'
import { type DatasetConfig, type DatasetLayout, readLayout, splitFiles } from './dataset-layout.ts'
import type { TaskInfo } from './task.ts'

/** Opens a data-set repository at a revision. */
export type OpenDataset = (path: string, revision: string) => Promise<RepoFiles>

export interface Dataset {
  readonly files: RepoFiles
  readonly layout: DatasetLayout
  readonly revision: string
  /** `Task › org/name`. */
  readonly place: string
}

/** Columns of one split, every array `rows` long. */
export interface Rows {
  readonly rows: number
  readonly columns: Record<string, unknown[]>
  /** For messages. */
  readonly place: string
  readonly classLabels: ReadonlySet<string>
  /** From separated values, where everything is text. */
  readonly untyped: boolean
}

/** The task's data set, or where older versions had it when it cannot be had there. */
export async function openTaskDataset(task: TaskInfo, open: OpenDataset): Promise<Dataset> {
  let first: Fault | undefined
  for (const { path, revision } of [task.dataset, ...task.aliases]) {
    try {
      const files = await open(path, revision)
      return { files, layout: await readLayout(files), revision: files.revision ?? revision, place: `${task.name} › ${path}` }
    } catch (error) {
      const problem = asFault(error, 'file.unreadable', `${task.name} › ${path}`)
      if (!['hub.missing', 'hub.offline'].includes(problem.code)) throw problem
      first ??= problem
    }
  }
  throw first ?? fault('internal', { place: task.name, what: 'no data set' })
}

/** Reads `columns` (all required) and `optional` of a split; files in order. Throws `task.split`, `task.column`, `task.empty` and what reading throws. */
export async function readSplit(
  dataset: Dataset,
  config: DatasetConfig,
  split: string,
  { columns, optional = [], numeric = [] }: { columns: readonly string[]; optional?: readonly string[]; numeric?: readonly string[] },
): Promise<Rows> {
  const place = `${dataset.place} › ${config.name} › ${split}`
  const merged: Record<string, unknown[]> = Object.fromEntries([...columns, ...optional].map((name) => [name, []]))
  let rows = 0
  let untyped = false
  for (const path of splitFiles(config, split, dataset.place)) {
    const format = tableFormat(path)
    const separated = format === 'csv' || format === 'tsv'
    untyped ||= separated
    const table = await readFile(dataset, path, {
      columns,
      optional,
      format,
      packing: splitName(path).packing,
      place: `${dataset.place} › ${path}`,
      ...(separated ? { numeric } : {}),
    })
    for (const [name, values] of Object.entries(merged)) {
      const own = table.columns[name]
      for (let i = 0; i < table.rows; i++) values.push(own?.[i] ?? null)
    }
    rows += table.rows
  }
  if (rows === 0) throw fault('task.empty', { place, what: 'the split has no rows' })
  return { rows, columns: merged, place, classLabels: config.classLabels, untyped }
}

async function readFile(dataset: Dataset, path: string, options: Parameters<typeof readColumns>[1]): ReturnType<typeof readColumns> {
  const local = await dataset.files.local(path)
  try {
    return await readColumns([local], options)
  } catch (error) {
    if (error instanceof Fault && error.code === 'table.column') throw new Fault('task.column', { ...error.parts, cause: error })
    throw error
  }
}
