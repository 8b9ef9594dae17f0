/** Representations × tasks on one model: one encoding a task, a score and a result a representation. Finished work is found again; a failure is a result. */
import { asFault, type Embedder, fault, type Fault, type Profile, type Provenance, type Result, version } from '#core'
import { evaluateTask, type FailedPart, implausible, watched } from '#task/protocols'
import { type Model, ruleNotice } from '#model/checkpoint'
import { mergeResults, resultDocument, writeResult, type ModelFacts } from '#result/ledger'
import { type LoadedTask, type TaskInfo, withMembers } from '#task/registry'
import { aggregated } from './aggregate.ts'
import { armsOf, type Arm } from './arms.ts'
import { checkpointsOf } from './checkpoints.ts'
import { itemTable } from './item-table.ts'
import { loadRows, splitsOf, type SweepOptions } from './sweep-options.ts'

/** A result as it comes out of a sweep, with what was done for it. */
export interface SweepResult {
  readonly result: Result
  readonly state: 'done' | 'reused'
  readonly reason: string
}

/** Runs the plan, task by task; every result is on disk before it is yielded. */
export async function* runSweep(model: Model, options: SweepOptions): AsyncGenerator<SweepResult> {
  for (const task of await withMembers(options.tasks)) {
    const arms = await armsOf(model, task, options)
    for (const { state, reason, stored } of arms) {
      if (state === 'reused' && stored?.strata !== undefined)
        yield { result: { ...stored, strata: stored.strata, kg_co2_emissions: null }, state: 'reused', reason }
    }
    const open = arms.filter(({ state }) => state === 'run')
    if (open.length === 0) continue
    const started = performance.now()
    if (task.protocol === 'AbsTaskAggregate') {
      for (const arm of open) yield await average(model, task, arm, options)
      continue
    }
    let loaded: LoadedTask
    try {
      loaded = await loadRows(task, options, open)
    } catch (error) {
      stopIfCancelled(error, options.signal)
      for (const arm of open) yield await failed(model, task, arm, asFault(error, 'task.empty', task.name), started, options)
      continue
    }
    try {
      for (const arm of open) yield await answer(model, task, loaded, arm, options)
    } finally {
      loaded.close()
    }
  }
}

async function answer(model: Model, task: TaskInfo, loaded: LoadedTask, arm: Arm, options: SweepOptions): Promise<SweepResult> {
  const { profile = 'mteb-2', outputFolder = 'results', signal, onProgress } = options
  const started = performance.now()
  try {
    signal?.throwIfAborted()
    const watch = watched(await embedderFor(model, task, arm, options))
    const {
      scores,
      items,
      failed: parts,
    } = await evaluateTask(loaded, watch.embedder, {
      profile,
      similarity: model.settings.similarity,
      ...(options.kmeans ? { kmeans: options.kmeans } : {}),
      checkpoints: checkpointsOf(arm.place, task.name, arm.fingerprint),
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    })
    const seconds = (performance.now() - started) / 1000
    const [lost] = parts
    const rule = model.prompts.rule && ruleNotice(model.name, model.prompts.rule)
    const notices = [...watch.notices(), ...implausible(loaded, scores, seconds), ...(rule === undefined ? [] : [rule])]
    const result: Result = {
      task_name: task.name,
      dataset_revision: loaded.dataRevision,
      mteb_version: profileVersion(profile),
      evaluation_time: seconds,
      kg_co2_emissions: null,
      date: Date.now() / 1000,
      scores,
      strata: {
        ...(await provenance(model, task, arm, profile)),
        // A task that lost a subset has no main score; what was scored is kept beside the reason.
        ...(lost === undefined ? { status: 'ok' as const } : { status: 'failed' as const, code: lost.code, reason: lostParts(parts) }),
        seconds,
        ...(notices.length === 0 ? {} : { notices }),
      },
    }
    const whole = arm.stored !== undefined && lost === undefined ? mergeResults(arm.stored, result) : result
    await writeResult(outputFolder, whole, { items: itemTable(items), model: await metaOf(model) })
    return { result: resultDocument(whole), state: 'done', reason: arm.reason }
  } catch (error) {
    stopIfCancelled(error, signal)
    return failed(model, task, arm, asFault(error, 'engine.run', task.name), started, options)
  }
}

/** Tasks of classifiers are asked of the model's own head, whose logits no hidden state has. */
function embedderFor(model: Model, { protocol }: TaskInfo, { representationOf, representation }: Arm, { keep = 'all' }: SweepOptions): Promise<Embedder> {
  if (protocol !== 'SequenceClassification') return model.embedder(representationOf, keep)
  if (representationOf.kind === 'default') return model.classifier()
  throw fault('representation.unknown', { place: model.name, what: "a classifier's head reads the last state only", seen: representation, wanted: 'default' })
}

/** An aggregate task, after its members. */
async function average(model: Model, task: TaskInfo, arm: Arm, options: SweepOptions): Promise<SweepResult> {
  const { profile = 'mteb-2', outputFolder = 'results' } = options
  const started = performance.now()
  try {
    const { scores, evaluation_time } = await aggregated(task, arm.members, { place: arm.place, splits: splitsOf(task, options) })
    const result: Result = {
      task_name: task.name,
      dataset_revision: task.dataset.revision,
      mteb_version: profileVersion(profile),
      evaluation_time,
      kg_co2_emissions: null,
      date: Date.now() / 1000,
      scores,
      strata: { ...(await provenance(model, task, arm, profile)), status: 'ok', seconds: (performance.now() - started) / 1000 },
    }
    await writeResult(outputFolder, result, { model: await metaOf(model) })
    return { result: resultDocument(result), state: 'done', reason: arm.reason }
  } catch (error) {
    return failed(model, task, arm, asFault(error, 'task.empty', task.name), started, options)
  }
}

async function failed(
  model: Model,
  task: TaskInfo,
  arm: Arm,
  problem: Fault,
  started: number,
  { profile = 'mteb-2', outputFolder = 'results' }: SweepOptions,
): Promise<SweepResult> {
  const result: Result = {
    task_name: task.name,
    strata: {
      ...(await provenance(model, task, arm, profile)),
      status: 'failed',
      code: problem.code,
      reason: problem.message,
      seconds: (performance.now() - started) / 1000,
    },
  }
  await writeResult(outputFolder, result)
  return { result, state: 'done', reason: arm.reason }
}

async function provenance(model: Model, task: TaskInfo, arm: Arm, profile: Profile): Promise<Omit<Provenance, 'status' | 'seconds'>> {
  return {
    model: model.name,
    revision: await model.revision(),
    representation: arm.representation,
    profile,
    settings: arm.settings,
    fingerprint: arm.fingerprint,
    version,
  }
}

/** For `model_meta.json`, which other programs list models by. */
async function metaOf(model: Model): Promise<ModelFacts> {
  const { parameters, width } = await model.facts()
  return { parameters, width, maxTokens: model.settings.maxLength }
}

function lostParts(parts: readonly FailedPart[]): string {
  const named = parts.map(({ split, subset, reason }) => `${subset} (${split}): ${reason}`)
  return `${parts.length} of the task's subsets have no score: ${named.slice(0, 3).join('; ')}${named.length > 3 ? '; …' : ''} – choose what exists with --subsets`
}

function profileVersion(profile: Profile): string {
  switch (profile) {
    case 'mteb-2':
      return '2.26.24'
    case 'mteb-1':
      return '1.39.7'
    default:
      return profile satisfies never
  }
}

function stopIfCancelled(error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw fault('run.cancelled', { place: 'run', what: 'stopped', hint: 'what is finished is kept; run the same command again to go on', cause: error })
}
