/** The results file of lm-evaluation-harness 0.4.13, for its tables and the leaderboards' scripts. */
import { type LanguageModel, type NamedToken, sha256, version } from '#core'
import { harnessRelease } from '#files/packages'
import { type GroupNode, groupsOf, isFunctionReference, leaderboardOf, type Node } from '#task/harness'
import type { HarnessSettings } from './harness-settings.ts'
import type { HarnessRun, TaskRun } from './run-harness.ts'

/** The names of a model, and the file of its answers. */
export interface ModelAsNamed {
  /** `--model` and `--model_args` as given. */
  readonly modelSource: string
  readonly modelArgs: string
  /** Name of the model in the file's folder and in results. */
  readonly modelName: string
  /** File of answers, if one was named. */
  readonly useCache?: string | undefined
}

export interface DocumentOptions extends ModelAsNamed {
  readonly nodes: readonly Node[]
  readonly model: LanguageModel
  readonly settings: HarnessSettings
  /** Start of the run. */
  readonly date: Date
  /** Task → hash of its samples, where they are logged. */
  readonly taskHashes: Readonly<Record<string, string>>
}

export function resultsDocument(run: HarnessRun, options: DocumentOptions): Record<string, unknown> {
  const { model, settings, modelSource, modelName, date, taskHashes } = options
  const { facts } = model
  const leaderboard = leaderboardOf(
    run.tasks.map(({ task, scores }) => ({ name: task.name, values: scores.values, size: scores.size })),
  )
  return {
    ...scoresPart(run, options.nodes),
    config: configPart(options),
    git_hash: null,
    date: date.getTime() / 1000,
    pretty_env_info: `strata ${version}, Node ${process.version}`,
    transformers_version: null,
    lm_eval_version: harnessRelease,
    upper_git_hash: null,
    tokenizer_pad_token: tokenOf(facts.padding),
    tokenizer_eos_token: tokenOf(facts.endOfText),
    tokenizer_bos_token: tokenOf(facts.beginOfText),
    eot_token_id: facts.endOfText?.id ?? null,
    max_length: facts.window,
    task_hashes: taskHashes,
    model_source: modelSource,
    model_name: modelName,
    model_name_sanitized: sanitized(modelName),
    ...promptPart(facts, settings),
    total_evaluation_time_seconds: String(run.seconds),
    strata: {
      version,
      model: facts.identity,
      ...(leaderboard !== undefined && { leaderboard }),
      tasks: Object.fromEntries(run.tasks.map((task) => [task.task.name, collectNotices(task)])),
      ...(run.failed.length > 0 && {
        failed: Object.fromEntries(run.failed.map(({ task, reason }) => [task.name, reason.message])),
      }),
    },
  }
}

/** Numbers of tasks and groups, with what they measure. */
function scoresPart(run: HarnessRun, nodes: readonly Node[]): Record<string, unknown> {
  const groups = new Map(groupsOf(nodes).map((group) => [group.name, group]))
  const rows = groupRows(run, groups)
  const aggregating = Object.fromEntries(
    Object.entries(rows).filter(([name]) => (groups.get(name)?.metrics.length ?? 0) > 0),
  )
  const byName = <Value>(value: (task: TaskRun) => Value): Record<string, Value> =>
    Object.fromEntries(
      [...run.tasks].sort((a, b) => (a.task.name < b.task.name ? -1 : 1)).map((task) => [task.task.name, value(task)]),
    )
  const shots = byName(({ numFewshot }) => numFewshot)
  const higher = byName(({ higherIsBetter }): Record<string, boolean | null> => higherIsBetter)
  return {
    results: { ...Object.fromEntries(run.tasks.map((task) => [task.task.name, taskRow(task)])), ...rows },
    ...(Object.keys(aggregating).length > 0 && { groups: aggregating }),
    group_subtasks: Object.fromEntries(
      Array.from(groups, ([name, group]) => [name, group.members.map((member) => member.name)]),
    ),
    configs: byName(({ task, numFewshot, generation }) => ({
      ...(written(task.config.written) as Record<string, unknown>),
      num_fewshot: numFewshot,
      output_type: task.config.outputType,
      ...(task.config.outputType === 'generate_until' && { generation_kwargs: written(generation) }),
    })),
    versions: {
      ...byName(({ task }) => written(task.config.version)),
      ...Object.fromEntries(Array.from(groups, ([name, group]) => [name, written(group.version ?? 'N/A')])),
    },
    'n-shot': { ...shots, ...ofGroups(groups, (names) => common(names.map((name) => shots[name]))) },
    higher_is_better: { ...higher, ...ofGroups(groups, (names) => agreed(names.map((name) => higher[name] ?? {}))) },
    'n-samples': Object.fromEntries(
      run.tasks.map(({ task, documents, scores }) => [task.name, { original: documents, effective: scores.size }]),
    ),
  }
}

/** The request; seeds of libraries that take no part are those of the reference. */
function configPart({ model: { facts }, settings, modelSource, modelArgs, useCache }: DocumentOptions): object {
  return {
    model: modelSource,
    model_args: modelArgs,
    model_num_parameters: facts.parameters ?? null,
    model_dtype: facts.dtype,
    model_revision: facts.revision,
    model_sha: facts.revision,
    batch_size: null,
    batch_sizes: [],
    device: facts.device ?? 'cpu',
    use_cache: useCache ?? null,
    limit: settings.limit ?? null,
    bootstrap_iters: settings.bootstrapIterations ?? 100_000,
    gen_kwargs: settings.genKwargs ?? null,
    random_seed: settings.seed ?? 0,
    numpy_seed: 1234,
    torch_seed: 1234,
    fewshot_seed: settings.fewshotSeed ?? 1234,
  }
}

function promptPart(
  { chatTemplate }: LanguageModel['facts'],
  { systemInstruction, fewshotAsMultiturn, applyChatTemplate = false }: HarnessSettings,
): object {
  const chat = applyChatTemplate ? (chatTemplate ?? '') : null
  return {
    system_instruction: systemInstruction ?? null,
    system_instruction_sha: systemInstruction === undefined ? null : sha256(systemInstruction),
    fewshot_as_multiturn: fewshotAsMultiturn ?? applyChatTemplate,
    chat_template: chat,
    chat_template_sha: chat === null ? null : sha256(chat),
  }
}

/** Remarks that a reader of a task's numbers should know. */
export function collectNotices({
  asked,
  scores,
  leaks,
  dataRevision,
  seconds,
}: TaskRun): Readonly<Record<string, unknown>> {
  return {
    data_revision: dataRevision,
    seconds,
    requests: asked.requests,
    answered_before: asked.known,
    ...(asked.tooLong > 0 && { too_long: asked.tooLong }),
    truncated_contexts: asked.truncatedPrompts,
    truncated_generations: asked.truncatedAnswers,
    begun_by_themselves: asked.begun,
    extraction_failures: scores.missed,
    invalid_golds: scores.invalidGolds,
    fewshot_leaks: leaks,
    ...(scores.notes.length > 0 && { notes: scores.notes }),
  }
}

/** Characters that a file name may not have become two underscores per run. */
export function sanitized(name: string): string {
  return name.replace(/["<>:/|\\?*[\]]+/g, '__')
}

/** `2026-11-23T19-20-01.123456`, as in the names of result files. */
export function dateId(date: Date): string {
  return date.toISOString().replace('Z', '000').replaceAll(':', '-')
}

function taskRow({ task, scores }: TaskRun): Record<string, unknown> {
  return { name: task.name, alias: task.config.alias, sample_len: scores.size, ...scores.values }
}

function groupRows(
  { groups: numbers }: HarnessRun,
  groups: ReadonlyMap<string, GroupNode>,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Array.from(groups, ([name, { alias, metrics }]) => {
      const own = numbers.get(name)
      if (metrics.length === 0 || own === undefined) return [name, { name, alias }]
      return [name, { name, alias, sample_len: own.size, ...own.values, sample_count: own.counts }]
    }),
  )
}

function ofGroups<Value>(
  groups: ReadonlyMap<string, GroupNode>,
  make: (names: readonly string[]) => Value | undefined,
): Record<string, Value> {
  return Object.fromEntries(
    Array.from(groups).flatMap(([name, group]) => {
      const value = make(group.members.map((member) => member.name))
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

function common<Value>(values: readonly Value[]): Value | undefined {
  return new Set(values).size === 1 ? values[0] : undefined
}

function agreed(all: readonly Readonly<Record<string, boolean | null>>[]): Record<string, boolean | null> | undefined {
  const names = [...new Set(all.flatMap((own) => Object.keys(own)))]
  if (names.length === 0) return undefined
  return Object.fromEntries(
    names.map((name) => [name, common(all.flatMap((own) => (name in own ? [own[name]] : []))) ?? null]),
  )
}

function tokenOf(token: NamedToken | undefined): [string, string] | null {
  return token === undefined ? null : [token.text, String(token.id)]
}

/** Settings of a task file as JSON: functions by name, floats as numbers. */
function written(value: unknown): unknown {
  if (isFunctionReference(value)) return `!function ${value.key}`
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  if ('kind' in value && value.kind === 'float' && 'value' in value) return value.value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, written(own)]))
}
