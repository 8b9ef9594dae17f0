/** Flags → the tasks they mean. */
import { fault } from '../core/index.ts'
import { findTasks, type FoundTasks, isTaskPath, type OwnTasks, readTaskFiles } from '../tasks/index.ts'
import type { FlagValues, Terminal } from './command.ts'

/** Tasks, and the data of those that are the user's own. */
export type ChosenTasks = FoundTasks & { readonly ownData: OwnTasks['data'] }

/** Tasks by `--task-file`, `--tasks`, `--benchmark` and the filters. A name with a slash, or that ends in .yaml, is a task file or a BEIR folder. Throws `usage.value` when nothing is named, and what finding throws. */
export async function selectTasks(flags: FlagValues, terminal: Terminal): Promise<ChosenTasks> {
  const {
    tasks: named,
    types,
    benchmark,
    domains,
    taskFile = [],
  } = flags as Partial<Record<'tasks' | 'types' | 'benchmark' | 'domains' | 'taskFile', string[]>>
  const files = [...taskFile, ...(named ?? []).filter(isTaskPath)]
  const tasks = named?.filter((name) => !isTaskPath(name))
  const own = files.length === 0 ? undefined : await readTaskFiles(files)
  const others = (tasks !== undefined && tasks.length > 0) || types !== undefined || benchmark !== undefined || domains !== undefined
  if (own !== undefined && !others) return { tasks: own.tasks, ownData: own.data, skipped: [], selections: new Map(), benchmarks: [], notices: [] }
  if (!others) {
    throw fault('usage.value', {
      place: '--tasks',
      what: 'no task named',
      hint: '--tasks STS17,Banking77Classification, a glob such as "STS*", --types STS, or --benchmark "MTEB(eng, v2)"; strata tasks lists them; --task-file for your own data',
    })
  }
  const found = await findTasks(tasks === undefined || tasks.length === 0 ? ['*'] : tasks, taskFilters(flags))
  for (const notice of found.notices) terminal.note(notice)
  // a plan lists them itself
  if (flags.dryRun !== true) for (const { task, reason } of found.skipped) terminal.note(`skipped  ${task.name}: ${reason}`)
  return { ...found, tasks: [...found.tasks, ...(own?.tasks ?? [])], ownData: own?.data ?? new Map() }
}

export function taskFilters(flags: FlagValues): NonNullable<Parameters<typeof findTasks>[1]> {
  const { types, languages, domains, benchmark } = flags as { types?: string[]; languages?: string[]; domains?: string[]; benchmark?: string[] }
  return { ...(types ? { types } : {}), ...(languages ? { languages } : {}), ...(domains ? { domains } : {}), ...(benchmark ? { benchmarks: benchmark } : {}) }
}
