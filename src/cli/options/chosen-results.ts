/** Flags → the selected results of a folder. */
import { fault, suggestNearest } from '#core'
import { checkResultNames, listResults, type Listed, type ListFilters } from '#result/ledger'
import { expandTasks, findTasks, type FoundTasks } from '#task/registry'
import { globMatcher, isGlob, type TaskInfo } from '#task/rows'
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
    readonly revision?: readonly string[] | undefined
    readonly representation?: readonly string[] | undefined
    readonly status?: ListFilters['status']
  }

/**
 * Results that pass the filters. Names and globs of tasks match the tasks of the folder, whether the registry knows
 * them or not. Throws `task.unknown` for a task that neither knows, `usage.value` for a model, a revision or a
 * representation that the folder has no result of. `isWhole`: tasks whose every metric is read (default: all).
 */
export async function chosenResults(
  names: readonly string[],
  flags: ResultFlags,
  { isWhole }: Pick<ListFilters, 'isWhole'> = {},
): Promise<{ listed: Listed[]; found: FoundTasks; root: string }> {
  const { results: root, tasks: flagged = [], models, revision: revisions, status } = flags
  const { representation: representations } = flags
  const patterns = [...names, ...flagged]
  const known = await knownTasks()
  const all = await listResults(root, {
    models,
    revisions,
    representations,
    status,
    mainScore: (task) => known.get(task)?.mainScore,
    isWhole,
  })
  await checkResultNames([root], all, { models, revisions, representations })
  const own = await ownPatterns(patterns, { root, all, known })
  const filters = taskFilters(flags)
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  const registered = patterns.filter((pattern) => !own.has(pattern))
  const found =
    registered.length > 0 || patterns.length === 0 || isFiltered
      ? await findTasks(registered.length === 0 ? ['*'] : registered, { ...filters, runnable: false })
      : { tasks: [], skipped: [], selections: new Map(), benchmarks: [], notices: [] }
  const wanted = new Set(found.tasks.map(({ name }) => name))
  // the registry's filters say nothing of a task that it does not know
  const matchers = isFiltered ? [] : patterns.map(matcherOf)
  const listed =
    patterns.length > 0 || isFiltered
      ? all.filter(({ task }) => wanted.has(task) || (!known.has(task) && matchers.some((matches) => matches(task))))
      : all
  return { listed, found, root }
}

/** Patterns that only tasks of the folder match. Throws `task.unknown` for one that nothing matches, with the nearest. */
async function ownPatterns(
  patterns: readonly string[],
  { root, all, known }: { root: string; all: readonly Listed[]; known: ReadonlyMap<string, TaskInfo> },
): Promise<ReadonlySet<string>> {
  const foreign = patterns.filter((pattern) => {
    const matches = matcherOf(pattern)
    return expandTasks([pattern])[0] === pattern && pattern !== 'all' && ![...known.keys()].some(matches)
  })
  if (foreign.length === 0) return new Set()
  const matching = (listed: readonly Listed[]): Set<string> =>
    new Set(foreign.filter((pattern) => listed.some(({ task }) => matcherOf(pattern)(task))))
  if (matching(all).size === foreign.length) return new Set(foreign)
  const whole = await listResults(root, { isWhole: () => false })
  const idle = foreign.find((pattern) => !matching(whole).has(pattern))
  if (idle === undefined) return new Set(foreign)
  throw fault('task.unknown', {
    place: idle,
    what: isGlob(idle) ? 'no task matches the name' : 'no such task',
    hint:
      suggestNearest(idle, [...new Set(whole.map(({ task }) => task)), ...known.keys()]) ??
      'list the tasks with strata tasks',
  })
}

function matcherOf(pattern: string): (task: string) => boolean {
  return globMatcher(pattern, { ignoreCase: true })
}
