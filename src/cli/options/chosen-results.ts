/** Flags → the selected results of a folder. */
import { listResults, type Listed, type ListFilters } from '#result/ledger'
import { findTasks, type FoundTasks } from '#task/registry'
import type { results } from '../flags/results.ts'
import type * as tasks from '../flags/tasks.ts'
import type { FlagValues } from '../spec/flag-values.ts'
import { knownTasks, taskFilters } from './choose-tasks.ts'

type ResultFlags = FlagValues<typeof results> &
  Partial<
    FlagValues<
      typeof tasks.tasks | typeof tasks.types | typeof tasks.languages | typeof tasks.domains | typeof tasks.benchmark
    >
  > & {
    readonly models?: readonly string[] | undefined
    readonly representation?: readonly string[] | undefined
    readonly status?: ListFilters['status']
  }

/**
 * Results that pass the filters. Names and globs of tasks match the tasks of the folder, whether the registry knows
 * them or not.
 */
export async function chosenResults(
  names: readonly string[],
  flags: ResultFlags,
): Promise<{ listed: Listed[]; found: FoundTasks; root: string }> {
  const { results: root, tasks: flagged = [], models, representation: representations, status } = flags
  const patterns = [...names, ...flagged]
  const known = await knownTasks()
  const found = await findTasks(patterns.length === 0 ? ['*'] : patterns, { ...taskFilters(flags), runnable: false })
  const filtered =
    patterns.length > 0 ||
    flags.types !== undefined ||
    flags.languages !== undefined ||
    flags.domains !== undefined ||
    flags.benchmark !== undefined
  const wanted = new Set(found.tasks.map(({ name }) => name))
  const all = await listResults(root, {
    models,
    representations,
    status,
    mainScore: (task) => known.get(task)?.mainScore,
  })
  return { listed: filtered ? all.filter(({ task }) => wanted.has(task)) : all, found, root }
}
