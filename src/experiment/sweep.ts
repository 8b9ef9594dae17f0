/** Representations × tasks on one model: one encoding a task, a score and a result a representation. Finished work is found again; a failure is a result. */
import { asFault, fault, type Fault, type OnProgress, type Profile, type Provenance, type Result } from '../core/index.ts'
import { evaluateTask, type FailedPart } from '../evaluate/index.ts'
import { openRepo } from '../hub/index.ts'
import { choosePrompt, representationName, type Model, type Representation } from '../model/index.ts'
import {
  findFailure,
  findResult,
  fingerprintOf,
  mergeResults,
  resultDocument,
  reuse,
  writeResult,
  type ModelFacts as ModelMetaFacts,
  type OverwriteStrategy,
  type ResultPlace,
  type Selection,
  type StoredResult,
} from '../results/index.ts'
import { chooseSubsets, loadTask, type LoadedTask, type TaskInfo } from '../tasks/index.ts'
import { itemTable } from './item-table.ts'
import type { Plan, PlanEntry, TaskCost } from './plan.ts'
import { version } from './version.ts'

/** Version of our arithmetic from vectors to scores; raised when a change moves them. */
const arithmetic = '1'

export interface SweepOptions {
  tasks: readonly TaskInfo[]
  representations: readonly Representation[]
  /** `all` keeps every state of a text (sweeps), `last` only what `default` needs. */
  keep?: 'all' | 'last'
  outputFolder?: string
  profile?: Profile
  overwriteStrategy?: OverwriteStrategy
  splits?: readonly string[]
  subsets?: readonly string[]
  languages?: readonly string[]
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** A result as it comes out of a sweep, with what was done for it. */
export interface SweepResult {
  readonly result: Result
  readonly state: 'done' | 'reused'
  readonly reason: string
}

/** One (task, representation) before it is run. */
interface Arm extends PlanEntry {
  readonly representationOf: Representation
  readonly place: ResultPlace
  readonly fingerprint: string
  /** A finished result, whole or in part. */
  readonly stored: StoredResult | undefined
  /** Splits and subsets still to score; undefined means all. */
  readonly missing: Selection | undefined
}

/** The plan of a sweep: what would run, what is there, what it costs. Reads headers and local data only; never downloads. */
export async function planSweep(model: Model, options: SweepOptions): Promise<Plan> {
  const entries: PlanEntry[] = []
  const costs: TaskCost[] = []
  const vectors = await model.layerVectors(options.keep ?? 'all')
  for (const task of options.tasks) {
    const arms = await armsOf(model, task, options)
    entries.push(...arms.map(({ task, representation, state, reason }) => ({ task, representation, state, reason })))
    if (!arms.some(({ state }) => state === 'run')) continue
    costs.push(await costOf(model, task, options))
  }
  return {
    model: model.name,
    revision: await model.revision(),
    states: model.states,
    entries,
    costs,
    bytesPerText: 4 * (vectors?.slots ?? []).reduce((sum, { width }) => sum + width, 0),
    memoryBytes: await model.memoryBytes(),
    notices: [],
  }
}

/** Runs the plan, task by task; every result is on disk before it is yielded. */
export async function* runSweep(model: Model, options: SweepOptions): AsyncGenerator<SweepResult> {
  for (const task of options.tasks) {
    const arms = await armsOf(model, task, options)
    for (const { state, reason, stored } of arms) {
      if (state === 'reused' && stored?.strata !== undefined)
        yield { result: { ...stored, strata: stored.strata, kg_co2_emissions: null }, state: 'reused', reason }
    }
    const open = arms.filter(({ state }) => state === 'run')
    if (open.length === 0) continue
    const started = performance.now()
    let loaded: LoadedTask
    try {
      loaded = await load(task, options, open)
    } catch (error) {
      stopIfCancelled(error, options.signal)
      for (const arm of open) yield await failed(model, task, arm, asFault(error, 'task.empty', task.name), started, options)
      continue
    }
    for (const arm of open) yield await answer(model, task, loaded, arm, options)
  }
}

/** Which results exist, and which must be made: equal fingerprints are reused, all else runs again with the reason shown. */
async function armsOf(model: Model, task: TaskInfo, options: SweepOptions): Promise<Arm[]> {
  const { profile = 'mteb-2', outputFolder = 'results', overwriteStrategy = 'only-missing', splits = task.splits } = options
  const { tensors, tokenizer, modules } = await model.identity()
  const revision = await model.revision()
  const subsets = subsetsOf(task, options)
  return Promise.all(
    options.representations.map(async (representationOf) => {
      const representation = nameOf(model, representationOf, profile)
      const fingerprint = fingerprintOf({
        tensors,
        tokenizer,
        representation,
        settings: { ...settingsOf(model, task), modules },
        task,
        data: task.dataset.revision,
        profile,
        arithmetic,
      })
      const place = { root: outputFolder, model: model.name, revision, representation }
      const found = await findResult(place, task.name)
      const failure = await findFailure(place, task.name)
      const chosen = reuse(found, { fingerprint, selection: Object.fromEntries(splits.map((split) => [split, subsets])) }, overwriteStrategy)
      const state = chosen.run ? ('run' as const) : chosen.reuse ? ('reused' as const) : ('skipped' as const)
      const reason =
        chosen.run && found === undefined && failure !== undefined ? `failed before (${failure.result?.strata?.code ?? 'unreadable'})` : chosen.reason
      return {
        task: task.name,
        representation,
        representationOf,
        place,
        fingerprint,
        stored: chosen.reuse ? found?.result : undefined,
        missing: chosen.missing,
        state,
        reason,
      }
    }),
  )
}

/** The subsets a task is asked for: of the names given for all tasks, those it has. A task that has none of them fails by name. */
function subsetsOf(task: TaskInfo, { subsets, languages }: SweepOptions): readonly string[] {
  const own = subsets?.filter((name) => Object.hasOwn(task.subsets, name))
  try {
    return chooseSubsets(task, own?.length === 0 ? subsets : own, languages)
  } catch {
    // Loading will say it again, and there it becomes the task's failed result.
    return own ?? Object.keys(task.subsets)
  }
}

async function answer(model: Model, task: TaskInfo, loaded: LoadedTask, arm: Arm, options: SweepOptions): Promise<SweepResult> {
  const { profile = 'mteb-2', outputFolder = 'results', signal, onProgress } = options
  const started = performance.now()
  try {
    signal?.throwIfAborted()
    const embedder = await model.embedder(arm.representationOf, options.keep ?? 'all')
    const {
      scores,
      items,
      failed: parts,
    } = await evaluateTask(loaded, embedder, { profile, ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) })
    const seconds = (performance.now() - started) / 1000
    const [lost] = parts
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
    settings: settingsOf(model, task),
    fingerprint: arm.fingerprint,
    version,
  }
}

/** What a result says about how the model was read. */
function settingsOf({ settings, prompts }: Model, { name, type }: TaskInfo): Provenance['settings'] {
  const task = { name, type }
  const [plain, query, document] = [
    choosePrompt(prompts, { task }),
    choosePrompt(prompts, { task, promptType: 'query' }),
    choosePrompt(prompts, { task, promptType: 'document' }),
  ]
  return {
    pooling: settings.pooling.join('+') || 'static',
    maxLength: settings.maxLength,
    prompt: plain,
    ...(query === plain && document === plain ? {} : { queryPrompt: query, documentPrompt: document }),
    dtype: settings.dtype,
    finalNorm: settings.finalNorm,
    ...(settings.chat ? { chat: true } : {}),
  }
}

/** Settings that can move a score and are not the folder's own are part of the name; defaults never are. */
function nameOf(model: Model, representation: Representation, profile: Profile): string {
  return [representationName(representation), ...model.overrides, ...(profile === 'mteb-2' ? [] : [profile])].join('+')
}

/** Loads what is still to score in any of the arms. */
async function load(task: TaskInfo, options: SweepOptions, arms: readonly Pick<Arm, 'missing'>[] = []): Promise<LoadedTask> {
  const { profile = 'mteb-2', signal, onProgress, splits, languages } = options
  const all = subsetsOf(task, options)
  const partial = arms.length > 0 && arms.every(({ missing }) => missing !== undefined)
  const wanted = partial ? all.filter((subset) => arms.some(({ missing }) => Object.values(missing ?? {}).some((subsets) => subsets.includes(subset)))) : all
  return loadTask(task, {
    openDataset: (path, revision) => openRepo(`${path}@${revision}`, { type: 'dataset', ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) }),
    ...(splits ? { splits } : {}),
    // A choice that leaves nothing is refused by name, with the words it was made in.
    ...(wanted.length > 0 ? { subsets: wanted } : { subsets: options.subsets ?? wanted, ...(languages ? { languages } : {}) }),
    profile,
  })
}

async function costOf(model: Model, task: TaskInfo, options: SweepOptions): Promise<TaskCost> {
  try {
    const loaded = await load(task, options)
    const vectors = await model.layerVectors(options.keep ?? 'all')
    let [texts, missing] = [0, 0]
    for (const group of loaded.texts()) {
      const prompt = choosePrompt(model.prompts, { task: { name: task.name, type: task.type }, ...(group.promptType ? { promptType: group.promptType } : {}) })
      texts += new Set(group.texts).size
      missing += vectors === undefined ? 0 : await vectors.missing(group.texts, prompt)
    }
    return { task: task.name, texts, missing }
  } catch {
    return { task: task.name, texts: undefined, missing: undefined }
  }
}

/** For `model_meta.json`, which other programs list models by. */
async function metaOf(model: Model): Promise<ModelMetaFacts> {
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
