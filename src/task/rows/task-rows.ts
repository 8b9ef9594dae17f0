/** A task's rows as its evaluation reads them – after the steps, its own columns only – one object each. */
import { asFault, type Fault, fault } from '#core'
import { type TaskRequest, requestTask } from './task-request.ts'
import type { Rows } from './dataset.ts'
import { type LoadOptions, readParts, type ReadTaskOptions } from './load-task.ts'
import type { BitextPart, MissingPart, PartOf, RetrievalPart } from './loaded-task.ts'
import { listedRows } from './readers/listed-rows.ts'
import type { ProtocolReader } from './readers/protocol.ts'
import { readers } from './readers/table.ts'
import type { TaskInfo } from './task.ts'
import { textBlocks } from './text-list.ts'

type Row = Readonly<Record<string, unknown>>

export interface TaskRow {
  readonly subset: string
  readonly split: string
  /** In a search: which of its tables the row belongs to. */
  readonly table?: 'corpus' | 'queries' | 'qrels' | 'candidates'
  readonly row: Row
}

export interface TaskRows {
  /** Parts that could not be read, and those whose rows are listed although an evaluation would refuse them. */
  readonly missing: readonly MissingPart[]
  /** Every row, in the order of subsets and splits. */
  readonly rows: () => Iterable<TaskRow>
  /** Removes temporary files. */
  readonly close: () => void
}

/**
 * Reads a task as `loadTask` does, and keeps the rows rather than what an evaluation makes of them, in the order of
 * subsets and splits. Throws what `loadTask` throws.
 *
 * @example
 * ```ts
 * import { readTaskFiles, taskRows } from 'strata-lm/tasks'
 *
 * const { tasks, data } = await readTaskFiles(['pairs.yaml'])
 * const { rows, close } = await taskRows(tasks[0]!, {
 *   openDataset: async (path) => data.get(path)!(),
 *   profile: 'mteb-2',
 * })
 * console.log([...rows()].length) // → 8
 * close()
 * ```
 */
export async function taskRows(
  task: TaskInfo,
  { openDataset, scratch, signal, onProgress, ...choice }: LoadOptions,
): Promise<TaskRows> {
  const asked = requestTask(task, choice)
  const options = { openDataset, scratch, signal, onProgress }
  if (task.unsupported !== undefined)
    throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
  const { protocol } = task
  if (protocol === 'AbsTaskAggregate')
    throw fault('internal', { place: task.name, what: 'an aggregate has no rows of its own' })
  if (protocol === 'AbsTaskRetrieval') return rowsOfParts(asked, options, readers[protocol], retrievalRows)
  if (protocol === 'AbsTaskBitextMining') return rowsOfParts(asked, options, keptRows(readers[protocol]), bitextRows)
  return rowsOfParts(asked, options, keptRows(readers[protocol] as ProtocolReader<PartOf>), plainRows)
}

type Listing<Part> = (part: Part, task: TaskInfo) => Iterable<Omit<TaskRow, 'subset' | 'split'>>

async function rowsOfParts<Part extends PartOf>(
  asked: TaskRequest,
  options: ReadTaskOptions,
  reader: Pick<ProtocolReader<Part>, 'read' | 'close'>,
  list: Listing<Part>,
): Promise<TaskRows> {
  const { parts, missing, close } = await readParts(reader, asked, options)
  function* rows(): Generator<TaskRow> {
    for (const part of parts)
      for (const line of list(part, asked.task)) yield { subset: part.subset, split: part.split, ...line }
  }
  const refused = parts.flatMap((part): MissingPart[] => {
    const problem = (part as { refused?: Fault }).refused
    return problem === undefined
      ? []
      : [
          {
            subset: part.subset,
            split: part.split,
            languages: part.languages,
            code: problem.code,
            reason: problem.message,
          },
        ]
  })
  return { missing: [...missing, ...refused], rows, close }
}

/** What a reader made of the rows of the part's own split, or why it refused them; and those rows. */
type Kept<Part> = PartOf & { readonly kept: Rows; readonly own?: Part; readonly refused?: Fault }

/**
 * A reader that runs another one and keeps the rows that it was given: those it refuses are the ones that somebody
 * wants to see.
 */
function keptRows<Part extends PartOf>(reader: ProtocolReader<Part>): Pick<ProtocolReader<Kept<Part>>, 'read'> {
  return {
    async read(scope) {
      let kept: Rows | undefined
      const { part } = scope
      const rows: typeof scope.rows = async (splits, options) => {
        const read = await scope.rows(splits, options)
        kept = read.get(part.split) ?? kept
        return read
      }
      try {
        const own = await reader.read({ ...scope, rows })
        if (kept === undefined)
          throw fault('internal', { place: scope.task.name, what: 'the split was not read', seen: part.split })
        return { ...part, kept, own }
      } catch (error) {
        const refused = asFault(error, 'table.read', `${part.subset} › ${part.split}`)
        if (kept === undefined || refused.code === 'run.cancelled') throw refused
        return { ...part, kept, refused }
      }
    },
  }
}

function* plainRows({ kept }: Pick<Kept<PartOf>, 'kept'>, task: TaskInfo): Generator<{ row: Row }> {
  const names = [...new Set(Object.values(task.columns))].filter((name) => kept.columns[name] !== undefined)
  const { rows, columns } = task.protocol === 'AbsTaskPairClassification' ? listedRows(kept, names) : kept
  for (let i = 0; i < rows; i++)
    yield { row: Object.fromEntries(names.map((name) => [name, columns[name]?.[i] ?? null])) }
}

/**
 * Pairs; where sentences without a partner are searched too, the two lists side by side and the row numbers that belong
 * together.
 */
function* bitextRows({ kept, own }: Kept<BitextPart>, task: TaskInfo): Generator<{ row: Row }> {
  if (own === undefined) {
    yield* plainRows({ kept }, task)
    return
  }
  const { sentence1, sentence2 } = own
  const { gold } = task.columns
  if (gold === undefined) {
    for (const [i, text] of sentence1.entries())
      yield { row: { sentence1: text, sentence2: sentence2[own.gold[i] ?? i] } }
    return
  }
  const pairs = kept.columns[gold] ?? []
  const counted = (kept.rows === 1 && Array.isArray(pairs[0]) ? pairs[0] : pairs) as unknown[][]
  yield { row: { sentence1, sentence2, gold: counted.map((pair) => pair.map((number) => Number(number) - 1)) } }
}

function* retrievalRows({
  corpus,
  queries,
  qrels,
  candidates,
}: RetrievalPart): Generator<Omit<TaskRow, 'subset' | 'split'>> {
  let at = 0
  for (const block of textBlocks(corpus.texts))
    for (const text of block) yield { table: 'corpus', row: { id: corpus.ids[at++] ?? '', text } }
  for (const [i, id] of queries.ids.entries()) yield { table: 'queries', row: { id, text: queries.texts[i] ?? '' } }
  for (const [query, grades] of qrels) {
    for (const [document, score] of grades)
      yield { table: 'qrels', row: { 'query-id': query, 'corpus-id': document, score } }
  }
  for (const [query, ids] of candidates ?? [])
    yield { table: 'candidates', row: { 'query-id': query, 'corpus-ids': ids } }
}
