/** Flags → the selected tasks. */
import { fault } from '#core'
import { chooseTasks, type ChosenTasks, findTasks, isTaskPath, type TaskFilters } from '#task/registry'
import type { TaskInfo } from '#task/rows'
import type { SweepOptions } from '#experiment/sweep'
import type { dryRun } from '../flags/everywhere.ts'
import type * as taskFlags from '../flags/tasks.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'

type FilterFlags = Partial<
  FlagValues<
    | typeof taskFlags.types
    | typeof taskFlags.languages
    | typeof taskFlags.domains
    | typeof taskFlags.benchmark
    | typeof taskFlags.maxSamples
  >
>

/**
 * Tasks by `--task-file`, `--tasks`, `--benchmark` and the filters. Throws `usage.value` when nothing is named, and
 * what choosing throws.
 */
export async function selectTasks(
  flags: FilterFlags & Partial<FlagValues<typeof taskFlags.tasks | typeof taskFlags.taskFile | typeof dryRun>>,
  terminal: Terminal,
): Promise<ChosenTasks> {
  const { tasks = [], types, benchmark, domains, taskFile = [] } = flags
  const names = [...tasks, ...taskFile.map((path) => (isTaskPath(path) ? path : `./${path}`))]
  if (names.length === 0 && types === undefined && benchmark === undefined && domains === undefined) {
    throw fault('usage.value', {
      place: '--tasks',
      what: 'no task is given',
      hint: 'give --tasks STS17,Banking77Classification, a glob such as "STS*", --types STS, or --benchmark "MTEB(eng, v2)"; strata tasks lists them; --task-file for your own data',
    })
  }
  const found = await chooseTasks(names, taskFilters(flags))
  for (const notice of found.notices) terminal.note(notice)
  // a plan lists them itself
  if (flags.dryRun !== true)
    for (const { task, reason } of found.skipped) terminal.note(`skipped  ${task.name}: ${reason}`)
  return found
}

export function taskFilters({
  types,
  languages,
  domains,
  benchmark: benchmarks,
  maxSamples,
}: FilterFlags): TaskFilters {
  return { types, languages, domains, benchmarks, maxSamples }
}

/** Every task of the registry by name, whether it can run or not. */
export async function knownTasks(): Promise<ReadonlyMap<string, TaskInfo>> {
  return new Map((await findTasks(['*'], { runnable: false })).tasks.map((task) => [task.name, task]))
}

/** The tasks found as options of a sweep. */
export function taskOptions({
  tasks,
  skipped,
  selections,
  benchmarks,
  ownData,
}: ChosenTasks): Pick<SweepOptions, 'tasks' | 'skipped' | 'selections' | 'benchmarks' | 'ownData'> {
  return { tasks, skipped, selections, benchmarks, ownData }
}
