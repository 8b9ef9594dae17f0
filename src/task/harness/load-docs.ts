/**
 * Rows of a task: the split that is asked, the pool that examples come from, both as the task's functions leave them.
 */
import { fault } from '#core'
import { type OpenDataset, openWholeSplits } from '#task/rows'
import { type FunctionReference, isFunctionReference } from './config/read-config.ts'
import type { TaskConfig } from './config/task-config.ts'
import type { Doc } from './doc.ts'
import type { PortFinder } from './ports/find-port.ts'

export interface LoadedDocs {
  /** Test split where the task has one, otherwise validation. */
  readonly asked: readonly Doc[]
  /** Columns of these rows. */
  readonly columns: ReadonlySet<string>
  /** Pool of the examples: `fewshot_split`, inline samples, training, validation, test – the first there is. */
  readonly examples: () => readonly Doc[]
  /** Commit of the data set. */
  readonly revision: string
}

export interface LoadDocsOptions {
  readonly openDataset: OpenDataset
  readonly port: PortFinder
  /** Whether examples are wanted at all. */
  readonly withExamples: boolean
}

/** Throws what opening and reading a data set throws, `task.split`, `task.empty`, `task.unsupported`. */
export async function loadDocs(
  config: TaskConfig,
  { openDataset, port, withExamples }: LoadDocsOptions,
): Promise<LoadedDocs> {
  const place = config.task
  if (config.customDataset !== undefined)
    throw fault('task.unsupported', {
      place,
      what: 'the rows of the task come out of a Python function, which is not run',
      seen: config.customDataset.key,
    })
  if (config.datasetPath === undefined) throw fault('task.unsupported', { place, what: 'the task names no data set' })
  const split = config.testSplit ?? config.validationSplit
  if (split === undefined)
    throw fault('task.split', { place, what: 'the task names neither a test nor a validation split' })

  const { revision, trust_remote_code: _, name, ...given } = config.datasetKwargs
  const splits = await openWholeSplits({
    path: config.datasetPath,
    revision: typeof revision === 'string' ? revision : undefined,
    config: config.datasetName ?? (typeof name === 'string' ? name : undefined),
    given,
    openDataset,
    task: place,
  })
  const read = new Map<string, Promise<Doc[]>>()
  const rowsOf = async (from: string, process: FunctionReference | undefined): Promise<readonly Doc[]> => {
    const rows = read.get(from) ?? (splits.rows(from) as Promise<Doc[]>)
    read.set(from, rows)
    return process === undefined ? rows : port(process, 'docs').run(await rows)
  }
  const asked = await rowsOf(split, config.processDocs)
  const [first] = asked
  if (first === undefined) throw fault('task.empty', { place, what: 'no row is left after process_docs' })
  const examples = withExamples ? await pool(config, { rowsOf, port }) : []
  return { asked, columns: new Set(Object.keys(first)), examples: () => examples, revision: splits.revision }
}

interface Pool {
  readonly rowsOf: (split: string, process: FunctionReference | undefined) => Promise<readonly Doc[]>
  readonly port: PortFinder
}

async function pool(
  { task, fewshot, trainingSplit, validationSplit, testSplit, processDocs }: TaskConfig,
  { rowsOf, port }: Pool,
): Promise<readonly Doc[]> {
  if (fewshot.split !== undefined) return rowsOf(fewshot.split, fewshot.processDocs)
  if (fewshot.samples !== undefined)
    return isFunctionReference(fewshot.samples) ? port(fewshot.samples, 'samples').run() : fewshot.samples
  const split = trainingSplit ?? validationSplit ?? testSplit
  if (split === undefined) throw fault('task.split', { place: task, what: 'no split to take examples from' })
  return rowsOf(split, processDocs)
}
