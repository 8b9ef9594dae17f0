/** Which tasks a user means: names, globs, benchmarks, filters – checked before anything is loaded. */
import { fault, grouped, nearest } from '#core'
import { type Benchmark, benchmarkNamed, unionOf } from './benchmarks.ts'
import {
  type TaskSelection,
  globMatcher,
  isGlob,
  chooseLanguages,
  languageNames,
  speaks,
  type TaskInfo,
  taskTypes,
} from '#task/rows'
import { massiveHint } from './massive.ts'
import { everyTask, presetNames, usualBenchmark, withPresets } from './presets.ts'
import { type Registry, taskRegistry } from './registry.ts'
import { textsIn } from './sizes.ts'

export interface TaskFilters {
  types?: readonly string[] | undefined
  /** ISO 639-3, with or without script, or a script alone; two-letter codes are read as ISO 639-3 and noted. */
  languages?: readonly string[] | undefined
  domains?: readonly string[] | undefined
  /** Only tasks of these benchmarks, in the splits and subsets these ask for. */
  benchmarks?: readonly string[] | undefined
  /** Tasks with more texts, all of their splits together, are skipped; those of unknown size are not. */
  maxSamples?: number | undefined
  /** False: tasks that cannot be run are found like others, for lists. */
  runnable?: boolean | undefined
}

/** A task that was asked for and cannot be run. */
export interface SkippedTask {
  readonly task: TaskInfo
  readonly reason: string
}

export interface FoundTasks {
  /** In the order of benchmark or patterns, each task once. */
  readonly tasks: readonly TaskInfo[]
  /** Tasks of the benchmarks, or of globs, that cannot be run: for the plan; averages over them are withheld. */
  readonly skipped: readonly SkippedTask[]
  /** What the benchmarks ask of their tasks; a task that is not in here is asked in full. */
  readonly selections: ReadonlyMap<string, TaskSelection>
  readonly benchmarks: readonly Benchmark[]
  /** Notices for the user where a name was read as another. */
  readonly notices: readonly string[]
}

/**
 * Tasks by name (upper and lower case alike), glob (`STS*`) or preset (`layer_by_layer_32`, `core`, `quick`, `full`, and
 * `all` for the tasks of the benchmarks, by default those of `MTEB(eng, v1)`), among all tasks or those of benchmarks.
 * Filters narrow globs, `all` and benchmarks; a task that is named is kept whatever they say, so that it fails by name
 * rather than vanishing. A named task that cannot be run is a fault; one that a glob or a benchmark brings is skipped
 * with its reason. Throws `task.unknown` with the nearest name, `task.unsupported`, `usage.value`.
 *
 * @example
 * ```ts
 * import { findTasks } from 'strata-lm/tasks'
 *
 * const { tasks } = await findTasks(['STS1*'], { languages: ['eng'] })
 * console.log(tasks.map(({ name }) => name).join(' ')) // → STS12 STS13 STS14 STS15 STS16 STS17
 * ```
 */
export async function findTasks(patterns: readonly string[], filters: TaskFilters = {}): Promise<FoundTasks> {
  const { languages, benchmarks: names = [], runnable = true } = filters
  const whole = await taskRegistry()
  const choice = languages === undefined ? undefined : chooseLanguages(languages, languagesOf(whole))
  const usual = names.length === 0 && patterns.includes(everyTask) ? [usualBenchmark] : []
  const benchmarks = await Promise.all([...names, ...usual].map(benchmarkNamed))
  const selections = new Map<string, TaskSelection>()
  for (const benchmark of benchmarks)
    for (const [task, selection] of benchmark.tasks) selections.set(task, unionOf(selections.get(task), selection))
  const everyOne = [...selections.keys()].flatMap((name) => whole.get(name) ?? [])
  const registry: Registry = names.length === 0 ? whole : new Map(everyOne.map((task) => [task.name, task]))
  const passes = filterOf(filters, choice?.codes, selections, whole)

  const found = new Set<TaskInfo>()
  const skipped = new Map<string, SkippedTask>()
  for (const pattern of withPresets(patterns)) {
    const many = isGlob(pattern) || pattern === everyTask
    for (const task of many
      ? (pattern === everyTask ? everyOne : matching(pattern, registry)).filter(passes)
      : [named(pattern, registry, whole)]) {
      if (task.unsupported === undefined || !runnable) found.add(task)
      else if (many) skipped.set(task.name, { task, reason: task.unsupported })
      else
        throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
    }
  }
  for (const large of await largerThan(filters.maxSamples, found)) {
    found.delete(large.task)
    skipped.set(large.task.name, large)
  }
  refuseNothing(found, skipped, { patterns, ...filters })
  return { tasks: [...found], skipped: [...skipped.values()], selections, benchmarks, notices: choice?.notices ?? [] }
}

/** By the reference's counts, which are there before the rows are. */
async function largerThan(maxSamples: number | undefined, tasks: Iterable<TaskInfo>): Promise<SkippedTask[]> {
  if (maxSamples === undefined) return []
  const large: SkippedTask[] = []
  for (const task of tasks) {
    const texts = await textsIn(task)
    if (texts > maxSamples) large.push({ task, reason: `${grouped(texts)} texts, more than ${grouped(maxSamples)}` })
  }
  return large
}

/** Nothing found is a mistake; a benchmark none of whose tasks can be run is still shown with the reasons. */
function refuseNothing(
  found: ReadonlySet<TaskInfo>,
  skipped: ReadonlyMap<string, SkippedTask>,
  asked: TaskFilters & { patterns: readonly string[] },
): void {
  if (found.size > 0) return
  const [first] = skipped.values()
  if (first === undefined)
    throw fault('task.unknown', { place: 'tasks', what: 'no task passes the filters', seen: asked })
  if (asked.benchmarks !== undefined) return
  if (asked.maxSamples !== undefined)
    throw fault('task.unknown', {
      place: first.task.name,
      what: `none of the selected tasks is small enough: ${first.reason}`,
      hint: 'give a greater --max-samples, or leave it out',
    })
  throw fault('task.unsupported', {
    place: first.task.name,
    what: `the selected tasks cannot be run yet: ${first.reason}`,
    seen: `${skipped.size} tasks`,
  })
}

/** The filters as a test of tasks; checks their words. */
function filterOf(
  { types, domains }: TaskFilters,
  languages: readonly string[] | undefined,
  selections: ReadonlyMap<string, TaskSelection>,
  whole: Registry,
): (task: TaskInfo) => boolean {
  for (const type of types ?? []) checkWord(type, taskTypes, '--types', 'no such type of task')
  for (const domain of domains ?? []) checkWord(domain, domainsOf(whole), '--domains', 'no task is of this domain')
  const speaking = ({ name, subsets }: TaskInfo): boolean => {
    const asked = selections.get(name)?.subsets ?? Object.keys(subsets)
    return asked.some((subset) => speaks(subsets[subset] ?? [], languages ?? []))
  }
  return (task) =>
    (languages === undefined || speaking(task)) &&
    (types === undefined || types.some((wanted) => sameWord(wanted, task.type))) &&
    (domains === undefined || task.domains.some((domain) => domains.some((wanted) => sameWord(wanted, domain))))
}

function languagesOf(registry: Registry): Set<string> {
  return languageNames(new Set([...registry.values()].flatMap(({ subsets }) => Object.values(subsets).flat())))
}

function domainsOf(registry: Registry): Set<string> {
  return new Set([...registry.values()].flatMap(({ domains }) => domains))
}

function named(name: string, registry: Registry, whole: Registry): TaskInfo {
  const task = registry.get(name) ?? ignoringCase(name, registry)
  if (task !== undefined) return task
  if (whole !== registry && (whole.get(name) ?? ignoringCase(name, whole)) !== undefined)
    throw fault('task.unknown', {
      place: name,
      what: 'the benchmark does not have this task',
      hint: 'leave --benchmark out, or choose among its tasks',
    })
  const near = nearest(name, [...registry.keys(), ...presetNames])
  throw fault('task.unknown', {
    place: name,
    what: 'no such task',
    seen: name,
    hint: massiveHint(name) ?? (near === undefined ? 'list the tasks with strata tasks' : `did you mean ${near}?`),
  })
}

function matching(pattern: string, registry: Registry): TaskInfo[] {
  // no name has a slash
  if (pattern === '*') return [...registry.values()]
  const matches = globMatcher(pattern, { ignoreCase: true })
  const all = [...registry.values()].filter(({ name }) => matches(name))
  if (all.length === 0)
    throw fault('task.unknown', {
      place: pattern,
      what: 'no task matches the name',
      hint: 'list the tasks with strata tasks',
    })
  return all
}

function ignoringCase<Value>(name: string, table: ReadonlyMap<string, Value>): Value | undefined {
  for (const [known, value] of table) if (sameWord(known, name)) return value
  return undefined
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function checkWord(word: string, known: Iterable<string>, place: string, what: string): void {
  const all = [...known]
  if (all.some((one) => sameWord(one, word))) return
  const near = nearest(word, all)
  throw fault('task.unknown', {
    place,
    what,
    seen: word,
    hint: near === undefined ? `known: ${all.join(', ')}` : `did you mean ${near}?`,
  })
}
