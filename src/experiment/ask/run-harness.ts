/** A harness run: refused before any work where a task cannot run, otherwise asked task by task, scored, grouped. */
import { asFault, type CallOptions, Fault, fault, type LanguageModel, bracketNearest } from '#core'
import {
  groupNumbers,
  type GroupNumbers,
  groupsOf,
  filterNames,
  isFilter,
  type Node,
  portFinder,
  portOf,
  type Question,
  scoreTask,
  type TaskConfig,
  taskMetrics,
  type TaskNode,
  type TaskScores,
  tasksOf,
} from '#task/harness'
import type { OpenDataset } from '#task/rows'
import { type Answers, openAnswers } from './answers.ts'
import { askModel, type AnsweredTask, type RecordedAnswer } from './ask-model.ts'
import { checkKwargs, toGeneration, writtenKwargs } from './generation-kwargs.ts'
import type { HarnessSettings } from './harness-settings.ts'
import { openData } from './open-tasks.ts'
import { prepareTask } from './prepare-task.ts'

export interface RunOptions extends CallOptions {
  readonly model: LanguageModel
  /** The return value of `openTasks`. */
  readonly nodes: readonly Node[]
  readonly settings?: HarnessSettings | undefined
  /** Default: data sets from the hub or from local folders. */
  readonly openDataset?: OpenDataset | undefined
  /** Default: answers live as long as the call. */
  readonly answers?: Answers<RecordedAnswer> | undefined
  /** Called as soon as a task is scored. */
  readonly onTask?: ((run: TaskRun) => Promise<void> | void) | undefined
}

/** One task, finished. */
export interface TaskRun {
  readonly task: TaskNode
  readonly numFewshot: number
  readonly generation: Readonly<Record<string, unknown>>
  readonly questions: readonly Question[]
  readonly asked: AnsweredTask
  readonly scores: TaskScores
  /** Number of documents. */
  readonly documents: number
  readonly dataRevision: string
  /** Number of questions whose own row is among their examples. */
  readonly leaks: number
  readonly higherIsBetter: Readonly<Record<string, boolean>>
  readonly seconds: number
}

/** A task that could not be run to its end. */
export interface FailedTask {
  readonly task: TaskNode
  readonly reason: Fault
}

export interface HarnessRun {
  readonly tasks: readonly TaskRun[]
  readonly failed: readonly FailedTask[]
  /** Groups with numbers of their own, and those without; a group of a task that failed is not among them. */
  readonly groups: ReadonlyMap<string, GroupNumbers>
  readonly seconds: number
}

/**
 * Runs every task of the trees on a language model, task by task, and scores the answers as lm-evaluation-harness does;
 * writes no file. Throws `task.unsupported`, naming every missing function, before the model runs; `usage.conflict` for
 * settings that the model does not support. A task whose data or documents cannot be used is among `failed`, and the
 * others are asked; where all of them fail, the first fault is thrown, as are faults of the model.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { languageModelOf, openTasks, runHarness } from 'strata-lm/harness'
 *
 * const model = await openModel('assets/models/stories260K')
 * const nodes = await openTasks(['endings'], { cache: 'cache', includePaths: ['tasks'] })
 * const { tasks } = await runHarness({ model: await languageModelOf(model, 'example'), nodes })
 * console.log(tasks[0]?.scores.values['acc,none']) // → 1
 * await model.close()
 * ```
 */
export async function runHarness({
  model,
  nodes,
  settings = {},
  onTask,
  signal,
  onProgress,
  openDataset = openData({ signal, onProgress }),
  answers,
}: RunOptions): Promise<HarnessRun> {
  const tasks = tasksOf(nodes)
  checkTasks(tasks)
  if (settings.applyChatTemplate === true && model.chatPrompt === undefined)
    throw fault('usage.conflict', {
      place: '--apply_chat_template',
      what: 'the model has no chat template',
      seen: model.facts.name,
    })
  const scored =
    model.onlyWrites === undefined
      ? []
      : tasks.filter(({ config }) => config.outputType !== 'generate_until').map(({ name }) => name)
  if (scored.length > 0)
    throw fault('usage.conflict', {
      place: model.facts.name,
      what: `${model.onlyWrites}; nothing was run`,
      seen: scored.slice(0, 10),
      wanted: 'tasks of generate_until',
    })
  const began = performance.now()
  const kept = answers ?? (await openAnswers<RecordedAnswer>(model.facts.identity, undefined))
  const runs: TaskRun[] = []
  const failed: FailedTask[] = []
  for (const [done, task] of tasks.entries()) {
    signal?.throwIfAborted()
    const run = await runTask(task, {
      model,
      settings,
      openDataset,
      answers: kept,
      signal,
      onProgress: (progress) =>
        onProgress?.({ ...progress, stage: `${task.name} (${done + 1} of ${tasks.length}): ${progress.stage}` }),
    }).catch(toTaskFailure)
    if (run instanceof Fault) failed.push({ task, reason: run })
    else {
      await onTask?.(run)
      runs.push(run)
    }
  }
  const [first] = failed
  if (first !== undefined && runs.length === 0) throw first.reason
  const numbers = new Map(runs.map(({ task, scores: { values, size } }) => [task.name, { values, size }]))
  const lost = new Set(failed.map(({ task }) => task.name))
  const whole = groupsOf(nodes).filter(({ members }) => !tasksOf(members).some(({ name }) => lost.has(name)))
  const groups = new Map(whole.map((group) => [group.name, groupNumbers(group, numbers)]))
  return { tasks: runs, failed, groups, seconds: (performance.now() - began) / 1000 }
}

/** Faults that the next task would meet too, or that are none of a task. */
const ofTheRun = /^(?:run|internal|server|engine|file\.write|result)\b/

/** What ends a task and lets the others be asked; everything else is thrown. */
function toTaskFailure(error: unknown): Fault {
  if (error instanceof Fault && !ofTheRun.test(error.code)) return error
  throw error
}

/** Reports everything that would stop a task later, for all tasks at once. */
export function checkTasks(tasks: readonly TaskNode[]): void {
  const missing = new Map<string, string[]>()
  for (const { name, config } of tasks)
    for (const why of reasonsAgainst(config)) missing.set(why, [...(missing.get(why) ?? []), name])
  const [first] = missing
  if (first === undefined) return
  const all = Array.from(
    missing,
    ([why, names]) => `${why} (${names.slice(0, 3).join(', ')}${names.length > 3 ? `, ${names.length - 3} more` : ''})`,
  )
  throw fault('task.unsupported', {
    place: first[1].length === 1 && missing.size === 1 ? (first[1][0] ?? '--tasks') : '--tasks',
    what: 'these tasks cannot run here; nothing was run',
    seen: all.slice(0, 10),
    hint: 'docs/harness-support.md lists what runs; leave these tasks out',
  })
}

/** Why a task cannot run here; empty where it can. */
export function reasonsAgainst(config: TaskConfig): string[] {
  const functions = config.functions
    .filter((reference) => portOf(reference) === undefined)
    .map(({ key }) => `Python function ${key}`)
  return [
    ...new Set(functions),
    ...(functions.length === 0 ? unknownParts(config) : []),
    ...(config.unsafeCode ? ['runs code that the model writes'] : []),
    ...(config.media ? ['needs pictures or sound'] : []),
  ]
}

/** Metrics and filters that the tasks name and this program lacks. */
function unknownParts(config: TaskConfig): string[] {
  const named = config.filters
    .flatMap(({ steps }) => steps.map((step) => step.function))
    .filter((name) => typeof name === 'string')
  const missing = named
    .filter((name) => !isFilter(name))
    .map((name) => `filter ${name}${bracketNearest(name, filterNames)}`)
  try {
    taskMetrics(config, portFinder(config.task))
    return missing
  } catch (error) {
    const { message, hint } = asFault(error, 'task.unsupported', config.task)
    const near = hint?.startsWith('did you mean') === true ? ` (${hint})` : ''
    return [...missing, message.slice(`${config.task} › metric_list`.length) + near]
  }
}

type TaskOptions = Pick<RunOptions, 'model' | keyof CallOptions> &
  Required<{ [Name in 'settings' | 'openDataset' | 'answers']: NonNullable<RunOptions[Name]> }>

async function runTask(
  task: TaskNode,
  { model, settings, openDataset, answers, signal, onProgress }: TaskOptions,
): Promise<TaskRun> {
  const { config } = task
  const began = performance.now()
  const { port, numFewshot, docs, fields, questions, mode, leaks } = await prepareTask(task, {
    model,
    settings,
    openDataset,
  })
  const metrics = settings.predictOnly === true ? [] : taskMetrics(config, port)
  const kwargs = { ...config.generationKwargs, ...(config.outputType === 'generate_until' ? settings.genKwargs : {}) }
  const asked = await askModel(questions, {
    model,
    answers,
    chat: settings.applyChatTemplate === true,
    generation: config.outputType === 'generate_until' ? generationFor(model, kwargs, task.name) : {},
    repeats: config.repeats,
    seed: settings.seed ?? 0,
    place: task.name,
    skipTooLong: settings.skipTooLong === true,
    signal,
    onProgress,
  })
  const scores = scoreTask({
    config,
    fields,
    mode,
    metrics,
    questions: asked.questions,
    answers: asked.answers,
    port,
    bootstrapIterations: settings.bootstrapIterations,
  })
  return {
    task,
    numFewshot,
    generation: kwargs,
    questions: asked.questions,
    asked,
    scores,
    documents: docs.asked.length,
    dataRevision: docs.revision,
    leaks,
    higherIsBetter: Object.fromEntries(metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter])),
    seconds: (performance.now() - began) / 1000,
  }
}

/** Generation settings in the model's terms. */
function generationFor(
  { takesKwargs }: Pick<LanguageModel, 'takesKwargs'>,
  kwargs: Readonly<Record<string, unknown>>,
  place: string,
): Readonly<Record<string, unknown>> {
  checkKwargs(kwargs, place, takesKwargs)
  return takesKwargs === true ? writtenKwargs(kwargs) : toGeneration(kwargs, place)
}
