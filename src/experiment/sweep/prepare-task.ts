/**
 * A task before its turn: its open results, its rows, and the vectors of its texts, where the model's vectors are
 * cached.
 */
import type { AskingTask, CallOptions } from '#core'
import type { EmbedderOptions, Model } from '#model/checkpoint'
import { openRepresentation, representationKey, toWhole, type WholeRepresentation } from '#representation/layers'
import { rememberedKeys, type TextKeys } from '#platform/vectors'
import { type TaskRequest, askingTask, type LoadedTask, textBlocks, type TaskInfo, type TextGroup } from '#task/rows'
import type { SweepRequest } from './sweep-request.ts'
import { type Job, planJobs } from './jobs.ts'
import { loadRows } from './load-rows.ts'

export interface PreparedTask {
  readonly asked: TaskRequest
  readonly jobs: readonly Job[]
  /** Keys of the task's texts, the same for every representation. */
  readonly keys: TextKeys
  /** Undefined where no result is open, for an aggregate, and where loading failed. */
  readonly loaded: LoadedTask | undefined
  /** The exception of loading. */
  readonly problem: unknown
  /** Seconds in which its texts passed the model. */
  readonly encodeSeconds: number
  /** Number of texts in memory. */
  readonly texts: number
  close(): void
}

/** Throws what finding results throws; a task that cannot be loaded has its error in `problem`. */
export async function prepareTask(model: Model, task: TaskInfo, sweep: SweepRequest): Promise<PreparedTask> {
  const asked = sweep.asked(task)
  const jobs = await planJobs(model, asked, sweep)
  const keys = rememberedKeys()
  const open = jobs.filter(({ state }) => state === 'run')
  const bare = {
    asked,
    jobs,
    keys,
    loaded: undefined,
    problem: undefined,
    encodeSeconds: 0,
    texts: 0,
    close: () => undefined,
  }
  if (open.length === 0 || task.protocol === 'AbsTaskAggregate') return bare
  try {
    const loaded = await loadRows(asked, sweep, open)
    const started = performance.now()
    // An error here occurs again when the texts are used, and is reported for that representation.
    const groups = loaded.protocol === 'SequenceClassification' ? [] : loaded.texts()
    await encodeTexts(model, groups, { ...sweep, open, keys, task: askingTask(loaded.task) }).catch(() => undefined)
    const encodeSeconds = (performance.now() - started) / 1000
    return { ...bare, loaded, encodeSeconds, texts: countTexts(groups), close: () => loaded.close() }
  } catch (problem) {
    return { ...bare, problem }
  }
}

/**
 * Maximum number of texts that pass the model before their task's turn: a cache of a few gigabytes holds them along
 * with the task being scored. The rest of a corpus is encoded as it is searched.
 */
export const aheadTexts = 2 ** 15

async function encodeTexts(
  model: Model,
  groups: readonly TextGroup[],
  { open, keys, keep, task, signal, onProgress }: Pick<SweepRequest, 'keep'> & CallOptions & EncodeOptions,
): Promise<void> {
  if (groups.length === 0) return
  // sizes and types of one representation have its vectors
  const wholes = [
    ...new Map(open.map(({ representationOf: one }) => [representationKey(toWhole(one)), toWhole(one)])).values(),
    // a search by tokens keeps no vectors
  ].filter(({ kind }) => kind !== 'tokens' && (kind !== 'default' || model.searcher === undefined))
  const poolings = poolingsOf(wholes, model)
  const embedders = await Promise.all(wholes.map((whole) => openRepresentation(model, whole, { keep, keys, poolings })))
  const total = Math.min(aheadTexts, countTexts(groups))
  let before = 0
  for (const { texts, promptType } of groups) {
    if (before >= total) return
    const [block = []] = textBlocks(texts, total - before)
    const heard: CallOptions['onProgress'] = ({ done, total: rest = 0, work = { done, total: rest } }) =>
      // cached texts count as done; within the block, progress follows tokens
      onProgress?.({
        stage: 'encode',
        done: before + block.length - rest + done,
        total,
        unit: 'texts',
        work: { done: before + block.length * (work.done / Math.max(1, work.total)), total },
      })
    for (const embedder of embedders) await embedder.prepare?.(block, { task, promptType, signal, onProgress: heard })
    before += block.length
  }
}

interface EncodeOptions {
  readonly open: readonly Job[]
  readonly keys: TextKeys
  readonly task: AskingTask
}

function countTexts(groups: readonly TextGroup[]): number {
  return groups.reduce((sum, { texts }) => sum + texts.length, 0)
}

/** Poolings of representations: one pass serves them all. */
function poolingsOf(
  representations: readonly WholeRepresentation[],
  { settings }: Model,
): NonNullable<EmbedderOptions['poolings']> {
  return representations.map((one) =>
    !('pooling' in one) || one.pooling === undefined ? settings.pooling : [one.pooling],
  )
}
