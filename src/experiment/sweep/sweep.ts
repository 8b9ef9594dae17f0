/**
 * Representations × tasks on one model: one encoding per task, one score and result per representation. Finished work
 * is reused; a failure is a result.
 */
import {
  asFault,
  type CallOptions,
  type Embedder,
  fault,
  type Fault,
  type Provenance,
  type Result,
  version,
} from '#core'
import { type EvaluateOptions, type Subject, evaluateTask, implausible, watched } from '#task/protocols'
import { type Model, openReranker, ruleNotice } from '#model/checkpoint'
import {
  findSimilarity,
  openRepresentation,
  openSearcher,
  representationName,
  representationOpener,
  type Representation,
} from '#representation/layers'
import { fingerprintVersion, mergeResults, resultDocument, writeResult, type ModelFacts } from '#result/ledger'
import { type TaskRequest, type LoadedTask, profiles, type TaskInfo } from '#task/rows'
import { withMembers } from '#task/registry'
import { aggregated } from './aggregate.ts'
import { requestSweep, type SweepRequest, type SweepOptions } from './sweep-request.ts'
import { openCheckpoints } from './checkpoints.ts'
import { onlyRequested, foundResult } from './found-result.ts'
import { itemTable } from './item-table.ts'
import type { Job } from './jobs.ts'
import { inOrder, onlyMissing, withoutParts } from './lost-parts.ts'
import { type AheadOptions, type Begun, begunAhead } from './begun-ahead.ts'
import { type PreparedTask, prepareTask } from './prepare-task.ts'

/** A result of a sweep, with the work done for it. */
export interface SweepResult {
  readonly result: Result
  readonly state: 'done' | 'reused'
  readonly reason: string
}

/**
 * Runs models × representations × tasks: one encoding per task, one score and one result per representation, yielded as
 * they are written. Finished work is reused. A failure is a result with a reason. Throws `run.cancelled`, `file.write`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { chooseTasks, runSweep } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const representations = [{ kind: 'default' }, { kind: 'state', h: 3 }] as const
 * for await (const { result, state } of runSweep(model, { tasks, ownData, representations, outputFolder: 'out' }))
 *   console.log(result.task_name, result.strata.representation, state)
 * // → pairs default done
 * // → pairs h3 done
 * await model.close()
 * ```
 */
export async function* runSweep(model: Model, options: SweepOptions): AsyncGenerator<SweepResult> {
  for await (const { sweep: _only, ...one } of runSweeps(model, [options], options)) yield one
}

/** A result, and the place of its sweep in the list. */
export interface TurnResult extends SweepResult {
  readonly sweep: number
}

/**
 * `runSweep` for several in turn: the next task is encoded while one is scored, also where it is another sweep's; with
 * `room` for their texts, more tasks than the next one.
 */
export async function* runSweeps(
  model: Model,
  sweeps: readonly SweepOptions[],
  { room, signal, onProgress }: AheadOptions = {},
): AsyncGenerator<TurnResult> {
  const turns: Turn[] = []
  for (const [at, options] of sweeps.entries()) {
    const tasks = await withMembers(options.tasks)
    const sweep = requestSweep({ ...options, signal, onProgress, tasks })
    turns.push(...tasks.map((task) => ({ at, task, sweep })))
  }
  const begin = async ({ at, task, sweep }: Turn, more: CallOptions) => {
    const prepared = await prepareTask(model, task, { ...sweep, ...more })
    return { at, sweep, prepared, size: prepared.texts, close: () => prepared.close() }
  }
  for await (const { at, sweep, prepared } of begunAhead(turns, begin, { room, signal, onProgress }))
    for await (const one of answers(model, prepared, sweep)) yield { ...one, sweep: at }
}

interface Turn {
  readonly at: number
  readonly task: TaskInfo
  readonly sweep: SweepRequest
}

async function* answers(model: Model, prepared: PreparedTask, sweep: SweepRequest): AsyncGenerator<SweepResult> {
  const { asked, jobs, keys, loaded, problem } = prepared
  for (const job of jobs) {
    const result = foundResult(job, asked)
    if (result !== undefined) yield { result, state: 'reused', reason: job.reason }
  }
  const open = jobs.filter(({ state }) => state === 'run')
  const opened = representationOpener(
    model,
    open.map(({ representationOf }) => representationOf),
    { keep: sweep.keep, keys },
  )
  let seconds = prepared.encodeSeconds
  const begin = async (job: Job, call: CallOptions): Promise<Begun & { run: TaskRun; job: Job; found?: Outcome }> => {
    const started = performance.now() - 1000 * seconds
    // Encoding counts for the first job: afterwards the vectors exist.
    seconds = 0
    const run: TaskRun = { model, asked, sweep: { ...sweep, ...call }, opened, started }
    const isScored = loaded !== undefined && asked.task.protocol !== 'AbsTaskAggregate'
    return { run, job, ...(isScored ? { found: await outcomeOf(run, loaded, job) } : {}), close: () => undefined }
  }
  // a result is written while the next one is computed
  for await (const { run, job, found } of begunAhead(open, begin, sweep)) {
    if (asked.task.protocol === 'AbsTaskAggregate') yield await average(run, job)
    else if (loaded !== undefined && found !== undefined) yield await answer(run, loaded, job, found)
    else {
      stopIfCancelled(problem, sweep.signal)
      yield await failed(run, job, asFault(problem, 'task.empty', asked.task.name))
    }
  }
}

/** State that the jobs of one task share. */
interface TaskRun {
  readonly model: Model
  readonly asked: TaskRequest
  readonly sweep: SweepRequest
  readonly opened: (representation: Representation) => Promise<Embedder>
  readonly started: number
}

/** Scores of a job with the notices about them, or the error that they ended with. */
type Outcome =
  | (Awaited<ReturnType<typeof evaluateTask>> & { readonly notices: readonly string[]; readonly seconds: number })
  | { readonly error: unknown }

async function outcomeOf(run: TaskRun, loaded: LoadedTask, job: Job): Promise<Outcome> {
  const { model, asked, sweep, started } = run
  const { kmeans, signal, onProgress } = sweep
  try {
    signal?.throwIfAborted()
    const watch = watched(await askedOf(run, job))
    const found = await evaluateTask(loaded, watch.model, {
      similarity: findSimilarity(model, job.representationOf),
      kmeans,
      ...(await secondOf(run)),
      checkpoints: openCheckpoints(job.place, asked.task.name, job.fingerprint),
      signal,
      onProgress,
    })
    const seconds = (performance.now() - started) / 1000
    return { ...found, seconds, notices: [...watch.notices(), ...implausible(loaded, found.scores, seconds)] }
  } catch (error) {
    return { error }
  }
}

async function answer(run: TaskRun, loaded: LoadedTask, job: Job, found: Outcome): Promise<SweepResult> {
  const { model, asked, sweep } = run
  const { task, profile } = asked
  const { outputFolder, signal } = sweep
  try {
    signal?.throwIfAborted()
    if ('error' in found) throw found.error
    const { scores, items, failed: parts, seconds } = found
    const [lost] = parts
    const rule = model.prompts.rule && ruleNotice(model.name, model.prompts.rule)
    const { lacks = [] } = loaded
    const notices = [...found.notices, ...(rule === undefined ? [] : [rule])]
    const result: Result = {
      task_name: task.name,
      dataset_revision: loaded.dataRevision,
      mteb_version: profiles[profile],
      evaluation_time: seconds,
      kg_co2_emissions: null,
      date: Date.now() / 1000,
      scores,
      strata: {
        ...(await provenance(run, job)),
        // A task that lost a subset has no main score; its other scores are stored along with the reason.
        ...(lost === undefined
          ? { status: 'ok' as const }
          : { status: 'failed' as const, code: lost.code, reason: '' }),
        seconds,
        ...(lacks.length === 0 ? {} : { lacks }),
        ...(notices.length === 0 ? {} : { notices }),
      },
    }
    const merged = job.stored === undefined ? result : inOrder(mergeResults(job.stored, result), asked)
    const whole = lost === undefined ? merged : withoutParts(merged, parts, asked)
    const isMerged = job.stored !== undefined
    await writeResult(outputFolder, whole, { items: itemTable(items), isMerged, model: await metaOf(model) })
    return { result: onlyRequested(resultDocument(whole), asked), state: 'done', reason: job.reason }
  } catch (error) {
    stopIfCancelled(error, signal)
    return failed(run, job, asFault(error, 'engine.run', task.name))
  }
}

/**
 * The second model of a search. Throws `config.unsupported` for one that scores no pairs, `usage.conflict` for vectors
 * whose type needs the texts of the first search.
 */
async function secondOf({
  sweep: { rerank },
  asked: { task },
}: TaskRun): Promise<Pick<EvaluateOptions, 'reranking' | 'second'>> {
  if (rerank === undefined || task.protocol !== 'AbsTaskRetrieval') return {}
  const { model: other, representation, top } = rerank
  if (representation === undefined) return { reranking: { reranker: await openReranker(other), top } }
  const model = (await openSearcher(other, representation)) ?? (await openRepresentation(other, representation))
  if ('calibrate' in model && model.calibrate !== undefined)
    throw fault('usage.conflict', {
      place: `${other.name} › ${representationName(representation)}`,
      what: 'a type with ranges needs all texts of a task, and a second search has few of them',
      hint: 'name float32, float16 or a binary type',
    })
  return { second: { model, similarity: findSimilarity(other, representation), top } }
}

/**
 * Classifier tasks use the model's own head, whose logits no hidden state has; retrieval what the model scores or
 * searches with.
 */
async function askedOf(
  { model, asked: { task }, opened }: TaskRun,
  { representationOf, representation }: Job,
): Promise<Subject> {
  const { classifier, name, reranker } = model
  if (task.protocol === 'AbsTaskRetrieval' || representationOf.kind === 'tokens') {
    const searcher = await openSearcher(model, representationOf)
    if (searcher !== undefined) return searcher
    if (reranker !== undefined && representationOf.kind === 'default') return reranker()
  }
  if (task.protocol !== 'SequenceClassification') return opened(representationOf)
  if (representationOf.kind !== 'default')
    throw fault('representation.unknown', {
      place: name,
      what: "a classifier's head reads the last state only",
      seen: representation,
      wanted: 'default',
    })
  if (classifier !== undefined) return classifier()
  throw fault('config.unsupported', {
    place: name,
    what: 'the model has no head for sequence classification',
    hint: 'name a …ForSequenceClassification checkpoint',
  })
}

/** An aggregate task, after its members. */
async function average(run: TaskRun, job: Job): Promise<SweepResult> {
  const { model, asked, sweep, started } = run
  const { task, splits, profile } = asked
  try {
    const { scores, evaluation_time } = await aggregated(task, job.members, splits)
    const result: Result = {
      task_name: task.name,
      dataset_revision: task.dataset.revision,
      mteb_version: profiles[profile],
      evaluation_time,
      kg_co2_emissions: null,
      date: Date.now() / 1000,
      scores,
      strata: { ...(await provenance(run, job)), status: 'ok', seconds: (performance.now() - started) / 1000 },
    }
    await writeResult(sweep.outputFolder, result, { model: await metaOf(model) })
    return { result: resultDocument(result), state: 'done', reason: job.reason }
  } catch (error) {
    return failed(run, job, asFault(error, 'task.empty', task.name))
  }
}

async function failed(run: TaskRun, job: Job, problem: Fault): Promise<SweepResult> {
  const { name } = run.asked.task
  const strata: Provenance = {
    ...(await provenance(run, job)),
    status: 'failed',
    code: problem.code,
    reason: problem.message,
    seconds: (performance.now() - run.started) / 1000,
  }
  const result = onlyMissing(job, { task_name: name, strata }, run.asked) ?? { task_name: name, strata }
  await writeResult(run.sweep.outputFolder, result)
  return { result, state: 'done', reason: job.reason }
}

async function provenance(
  { model, asked: { profile } }: TaskRun,
  job: Job,
): Promise<Omit<Provenance, 'status' | 'seconds'>> {
  return {
    model: model.name,
    revision: await model.revision(),
    representation: job.representation,
    profile,
    settings: job.settings,
    fingerprint: job.fingerprint,
    fingerprint_version: fingerprintVersion,
    version,
  }
}

/** Facts for `model_meta.json`, by which other programs list models. */
async function metaOf(model: Model): Promise<ModelFacts> {
  const { parameters, width } = await model.facts()
  return { parameters, width, maxTokens: model.settings.maxLength, crossEncoder: model.isReranker === true }
}

function stopIfCancelled(error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw fault('run.cancelled', {
      place: 'run',
      what: 'stopped',
      hint: 'finished work is kept; run the same command again to continue',
      cause: error,
    })
}
