/** Flags that select tasks → the parts of existing results. */
import { fault, suggestion, type SubsetScores } from '#core'
import { requestTask, type TaskInfo } from '#task/rows'
import { chooseTasks, type ChosenTasks, findTasks } from '#task/registry'
import type * as taskFlags from '../flags/tasks.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'
import { taskFilters } from './choose-tasks.ts'
import { tasksWanted } from './tasks-there.ts'

type PartFlags = FlagValues<
  | typeof taskFlags.tasks
  | typeof taskFlags.taskFile
  | typeof taskFlags.benchmark
  | typeof taskFlags.types
  | typeof taskFlags.domains
  | typeof taskFlags.languages
  | typeof taskFlags.splits
  | typeof taskFlags.subsets
>

/** Tasks of your own and those that pass the filters; undefined without either. Throws what choosing them throws. */
export async function tasksFor(flags: PartFlags, terminal: Terminal): Promise<ChosenTasks | undefined> {
  const own = flags.taskFile === undefined ? undefined : await chooseTasks(flags.taskFile)
  const filters = taskFilters(flags)
  if (Object.values(filters).every((filter) => filter === undefined)) return own
  const found = await findTasks(['*'], { ...filters, runnable: false })
  for (const notice of found.notices) terminal.note(notice)
  return { ...found, tasks: [...found.tasks, ...(own?.tasks ?? [])], ownData: own?.ownData ?? new Map() }
}

/**
 * The selected parts of results: tasks by names, globs and filters, parts by splits, subsets and languages. `check`
 * throws `usage.value` for a name that no result has.
 */
export function partsWanted(
  flags: PartFlags,
  found: ChosenTasks | undefined,
): {
  wanted: (task: string) => boolean
  part: (task: string, split: string, subset: SubsetScores) => boolean
  check: () => void
} {
  const named = tasksWanted(flags.tasks)
  const isFiltered = Object.values(taskFilters(flags)).some((filter) => filter !== undefined)
  const passing = isFiltered ? new Map(found?.tasks.map((task) => [task.name, task])) : undefined
  const seen = { splits: new Set<string>(), subsets: new Set<string>() }
  return {
    // both see every name: a misspelt one is refused whatever the filters do
    wanted: (task) => named.wanted(task) && passing?.has(task) !== false,
    part(task, split, subset) {
      seen.splits.add(split)
      seen.subsets.add(subset.hf_subset)
      const { splits = found?.selections.get(task)?.splits } = flags
      return splits?.includes(split) !== false && hasSubset(flags, found, passing?.get(task), subset)
    },
    check() {
      named.check()
      for (const what of ['splits', 'subsets'] as const) {
        const idle = flags[what]?.find((name) => !seen[what].has(name))
        if (idle !== undefined && seen[what].size > 0)
          throw fault('usage.value', {
            place: `--${what}`,
            what: `no result has this ${what === 'splits' ? 'split' : 'subset'}`,
            seen: idle,
            hint: suggestion(idle, [...seen[what]]),
          })
      }
    },
  }
}

/** As scoring the task would select it. */
function hasSubset(
  { subsets, languages }: PartFlags,
  found: ChosenTasks | undefined,
  task: TaskInfo | undefined,
  { hf_subset: name }: SubsetScores,
): boolean {
  if (task === undefined) return subsets?.includes(name) !== false
  const selection = found?.selections.get(task.name)
  return requestTask(task, { subsets, languages, selection }).subsets.includes(name)
}
