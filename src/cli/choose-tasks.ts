/** Flags → the tasks they mean. */
import { fault } from '#core'
import { chooseTasks, type ChosenTasks, type findTasks, isTaskPath } from '#task/registry'
import type { FlagValues, Terminal } from './command.ts'

/** Tasks by `--task-file`, `--tasks`, `--benchmark` and the filters. Throws `usage.value` when nothing is named, and what choosing throws. */
export async function selectTasks(flags: FlagValues, terminal: Terminal): Promise<ChosenTasks> {
  const { tasks = [], types, benchmark, domains, taskFile = [] } = flags as Partial<Record<'tasks' | 'types' | 'benchmark' | 'domains' | 'taskFile', string[]>>
  const names = [...tasks, ...taskFile.map((path) => (isTaskPath(path) ? path : `./${path}`))]
  if (names.length === 0 && types === undefined && benchmark === undefined && domains === undefined) {
    throw fault('usage.value', {
      place: '--tasks',
      what: 'no task named',
      hint: '--tasks STS17,Banking77Classification, a glob such as "STS*", --types STS, or --benchmark "MTEB(eng, v2)"; strata tasks lists them; --task-file for your own data',
    })
  }
  const found = await chooseTasks(names, taskFilters(flags))
  for (const notice of found.notices) terminal.note(notice)
  // a plan lists them itself
  if (flags.dryRun !== true) for (const { task, reason } of found.skipped) terminal.note(`skipped  ${task.name}: ${reason}`)
  return found
}

export function taskFilters(flags: FlagValues): NonNullable<Parameters<typeof findTasks>[1]> {
  const { types, languages, domains, benchmark } = flags as { types?: string[]; languages?: string[]; domains?: string[]; benchmark?: string[] }
  return { ...(types ? { types } : {}), ...(languages ? { languages } : {}), ...(domains ? { domains } : {}), ...(benchmark ? { benchmarks: benchmark } : {}) }
}
