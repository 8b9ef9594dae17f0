/**
 * From a task's row in the registry to its texts and labels: data set, configs, splits, subsets, columns – each by
 * name, never by position.
 */
import { asFault, type CallOptions, type Fault, fault, type FaultCode, type PromptType } from '#core'
import { type TaskRequest, requestTask, type TaskChoice } from './task-request.ts'
import { defaultRng, pythonRandom, randomState } from '#platform/random'
import { type Dataset, type OpenDataset, openTaskDataset, readSplit, type Rows } from './dataset.ts'
import { shareOfRows } from './share-of-rows.ts'
import { describedConfig } from './described-config.ts'
import type { LoadedTask, MissingPart, PartOf, TextGroup } from './loaded-task.ts'
import type { ProtocolReader, ReadOptions } from './readers/protocol.ts'
import { hasShares, readers } from './readers/table.ts'
import { readUnited } from './read-united.ts'
import { applySteps, rawColumns, rawConfigs, rawOptional, rawSplits } from './steps/table.ts'
import type { Protocol, TaskInfo } from './task.ts'
import type { Texts } from './text-list.ts'
import { configOf } from './subset-config.ts'
import { values } from './values.ts'

export interface ReadTaskOptions extends CallOptions {
  openDataset: OpenDataset
  /** Where a corpus that does not fit in memory is laid down; default: the system's temporary folder. */
  scratch?: string | undefined
}

export type LoadOptions = TaskChoice & ReadTaskOptions

/**
 * Reads the rows of a task, all subsets or those that are named. Parts that cannot be read are listed in `missing`;
 * when nothing can be read, the first reason is thrown: `task.subset`, `task.split`, `task.empty`, `task.column`,
 * `task.label`, `task.value`, `task.unsupported`, or a fault of the hub, of tables, or of formats.
 *
 * @example
 * ```ts
 * import { openRepo } from 'strata-lm'
 * import { findTasks, loadTask } from 'strata-lm/tasks'
 *
 * const { tasks } = await findTasks(['STS17'])
 * const loaded = await loadTask(tasks[0]!, {
 *   openDataset: (path, revision) => openRepo(`${path}@${revision}`, { type: 'dataset' }),
 *   subsets: ['en-en'],
 *   profile: 'mteb-2',
 * })
 * console.log(loaded.counts) // → { pairs: 250 }
 * loaded.close()
 * ```
 */
export async function loadTask(
  task: TaskInfo,
  { openDataset, scratch, signal, onProgress, ...choice }: LoadOptions,
): Promise<LoadedTask> {
  return loadRequested(requestTask(task, choice), { openDataset, scratch, signal, onProgress })
}

/** The same for what has been settled. */
export async function loadRequested(asked: TaskRequest, options: ReadTaskOptions): Promise<LoadedTask> {
  const { task } = asked
  const { protocol } = task
  if (task.unsupported !== undefined)
    throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
  if (protocol === 'AbsTaskAggregate')
    throw fault('internal', { place: task.name, what: 'an aggregate has no rows of its own' })
  return loadWith(protocol, asked, options)
}

async function loadWith(protocol: Protocol, asked: TaskRequest, options: ReadTaskOptions): Promise<LoadedTask> {
  // Whatever the parts of this protocol are, they come from its reader and go back to it.
  const reader = readers[protocol] as ProtocolReader<PartOf>
  const { task, profile, share } = asked
  if (share !== undefined && !hasShares(task))
    throw fault('task.unsupported', {
      place: task.name,
      what: 'a share of its texts cannot be scored: clusters are of all of them',
      seen: share,
    })
  const { parts: whole, missing, lacks, dataset, close } = await readParts(reader, asked, options)
  const parts = whole.map((part) => shareOf(part, reader, asked))
  const loaded = {
    protocol,
    parts,
    task,
    profile,
    dataRevision: dataset.revision,
    missing,
    lacks,
    counts: sums(parts.map((part) => reader.counts(part))),
  }
  return {
    ...loaded,
    texts: (one?: PartOf) => distinctGroups((one === undefined ? parts : [one]).flatMap((part) => reader.texts(part))),
    close,
  } as unknown as LoadedTask
}

function shareOf<Part extends PartOf>(
  part: Part,
  { asked: rows }: ProtocolReader<Part>,
  { task, share }: TaskRequest,
): Part {
  return share === undefined || rows === undefined
    ? part
    : rows.only(part, shareOfRows(rows.count(part), share, task.name, part))
}

/**
 * What `reader` makes of every (split, subset), with what could not be read; when nothing could, the first reason is
 * thrown.
 */
export async function readParts<Part extends PartOf>(
  reader: Pick<ProtocolReader<Part>, 'read' | 'close' | 'running'>,
  { task, splits, isLenient, subsets, profile, refusal }: TaskRequest,
  { openDataset, ...outside }: ReadTaskOptions,
): Promise<{ parts: Part[]; missing: MissingPart[]; lacks: string[]; dataset: Dataset; close: () => void }> {
  if (refusal !== undefined) throw refusal
  if (splits.length === 0) throw fault('task.split', { place: task.name, what: 'no split is asked for' })
  const dataset = await openTaskDataset(task, openDataset)

  const parts: Part[] = []
  const close = (): void => parts.forEach((part) => reader.close?.(part))
  const missing: MissingPart[] = []
  let first: Fault | undefined
  const draws = { python: pythonRandom(42), numpy: defaultRng(42), legacy: randomState(42) }
  const order = reader.running
    ? splits.flatMap((split) => subsets.map((subset) => ({ split, subset })))
    : subsets.flatMap((subset) => splits.map((split) => ({ split, subset })))
  // rows are kept while a part of their subset is still to come; subsets that are columns of the same rows are read
  // once
  const keyOf = (subset: string): string => (task.params.parallel_subsets ? '' : subset)
  const lastOf = new Map(order.map(({ subset }, at) => [keyOf(subset), at]))
  const kept = new Map<string, SplitRows>()
  for (const [at, { split, subset }] of order.entries()) {
    const known = kept.get(keyOf(subset)) ?? new Map()
    if (lastOf.get(keyOf(subset)) === at) kept.delete(keyOf(subset))
    else kept.set(keyOf(subset), known)
    const part: PartOf = { split, subset, languages: task.subsets[subset] ?? [] }
    const rows = (names: readonly string[], options: ReadOptions = {}): Promise<ReadonlyMap<string, Rows>> =>
      readSubset(task, dataset, subset, { ...options, splits: names, known })
    try {
      parts.push(await reader.read({ task, dataset, part, profile, open: openDataset, draws, rows, ...outside }))
    } catch (error) {
      const problem = asFault(error, 'table.read', `${subset} › ${split}`)
      if (problem.code === 'run.cancelled') {
        close()
        throw problem
      }
      first ??= problem
      missing.push({ ...part, code: problem.code, reason: problem.message })
    }
  }
  if (parts.length === 0) throw first ?? fault('task.empty', { place: task.name, what: 'nothing was read' })
  const lacks = isLenient ? splits.filter((split) => isAbsent(split, parts, missing)) : []
  return { parts, missing: missing.filter(({ split }) => !lacks.includes(split)), lacks, dataset, close }
}

/** Whether no subset has the split. */
function isAbsent(split: string, parts: readonly PartOf[], missing: readonly MissingPart[]): boolean {
  const own = missing.filter((part) => part.split === split)
  return !parts.some((part) => part.split === split) && own.length > 0 && own.every(({ code }) => code === 'task.split')
}

/** A list that many parts share is encoded once. */
function distinctGroups(groups: readonly TextGroup[]): TextGroup[] {
  const seen = new Map<PromptType | undefined, Set<Texts>>()
  return groups.filter(({ texts, promptType }) => {
    const lists = seen.get(promptType) ?? new Set<Texts>()
    seen.set(promptType, lists)
    return !lists.has(texts) && lists.add(texts)
  })
}

function sums(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const own of counts) for (const [name, count] of Object.entries(own)) total[name] = (total[name] ?? 0) + count
  return total
}

/** Rows of splits that were read before, or are being read. */
type SplitRows = Map<string, Promise<Rows>>

interface SubsetRows extends ReadOptions {
  splits: readonly string[]
  known?: SplitRows
}

/** The task's columns in the splits of one subset, after its steps. */
async function readSubset(
  task: TaskInfo,
  dataset: Dataset,
  subset: string,
  { splits, columns: named = Object.values(task.columns), optional = [], numeric = [], known = new Map() }: SubsetRows,
): Promise<ReadonlyMap<string, Rows>> {
  const scope = { subset }
  const columns = rawColumns(named, task.steps, scope)
  const { config: given, language } = configOf(task, dataset, subset)
  const [asked = ''] = rawSplits(splits, task.steps, { subset, all: [], declared: new Set() })
  const config = await describedConfig(dataset, given, asked)
  const readRaw = async (split: string): Promise<Rows> => {
    const parts = rawConfigs(split, task.steps, scope)
    if (parts !== undefined) return readUnited(dataset, parts, split, columns)
    const wanted = language === undefined ? columns : [...columns, languageColumn]
    const read = await readSplit(dataset, config, split, {
      columns: wanted,
      optional: [...optional, ...rawOptional(task.steps, scope)],
      // in a user's own files everything is text until their steps have made it something else
      numeric: rawColumns(
        config.traced && task.steps.length > 0 ? [] : numeric,
        task.steps.filter((step) => 'rename' in step),
        scope,
      ),
    })
    // the reference tells the subsets of such a task apart in polars, which knows no class labels
    const rows = task.params.fast_loading ? { ...read, classLabels: new Map<string, never>() } : read
    return language === undefined ? rows : onlyLanguage(rows, language)
  }
  const declared = new Set(task.params.fast_loading ? [] : config.classLabels.keys())
  const needed = new Set(rawSplits(splits, task.steps, { subset, all: [], declared }))
  const read = new Map<string, Rows>()
  for (const split of rawSplits(splits, task.steps, { subset, all: [...config.splits.keys()], declared })) {
    const rows = known.get(split) ?? readRaw(split)
    known.set(split, rows)
    try {
      read.set(split, await rows)
    } catch (error) {
      if (needed.has(split) || !leftOut.includes(asFault(error, 'internal', split).code)) throw error
    }
  }
  const made = applySteps(read, task.steps, scope)
  for (const split of splits) checkSplit(made.get(split), `${dataset.place} › ${config.name} › ${split}`)
  return made
}

function checkSplit(rows: Rows | undefined, place: string): void {
  if (rows === undefined) throw fault('task.split', { place, what: 'the steps of the task make no such split' })
  if (rows.rows === 0) throw fault('task.empty', { place, what: 'the steps of the task leave no row' })
}

/**
 * Faults of splits that nobody asked for, which are only read along for the names of their labels or their turn in a
 * generator.
 */
const leftOut: readonly FaultCode[] = [
  'task.column',
  'task.empty',
  'task.split',
  'task.subset',
  'hub.offline',
  'hub.missing',
  'file.missing',
]

const languageColumn = 'lang'

function onlyLanguage(rows: Rows, language: string): Rows {
  const picked = values(rows, languageColumn).flatMap((value, i) => (value === language ? [i] : []))
  if (picked.length === 0)
    throw fault('task.subset', { place: rows.place, what: `no row is of the subset ${language}` })
  const columns = Object.fromEntries(
    Object.entries(rows.columns).map(([name, column]) => [name, picked.map((i) => column[i])]),
  )
  return { ...rows, rows: picked.length, columns }
}
