/** The tasks a user means: names and globs of the registry, and paths of task files and BEIR folders among them. */
import { findTasks, type FoundTasks, type TaskFilters } from '../find-tasks.ts'
import { isTaskPath, type OwnTasks, readTaskFiles } from './read-task-files.ts'

/** Tasks, and the data of those that are the user's own. */
export type ChosenTasks = FoundTasks & { readonly ownData: OwnTasks['data'] }

/**
 * What the commands take for tasks: a name with a slash, or one that ends in .yaml, is read as a task file; the rest as
 * `findTasks` does. Without any name, filters choose among all tasks of the registry. Throws what `findTasks` and
 * `readTaskFiles` throw.
 *
 * @example
 * ```ts
 * import { chooseTasks } from 'strata-lm/tasks'
 *
 * const { tasks } = await chooseTasks(['./pairs.yaml', 'STSBenchmark'])
 * console.log(tasks.map(({ name, type }) => `${name}: ${type}`)) // → [ 'STSBenchmark: STS', 'pairs: STS' ]
 * ```
 */
export async function chooseTasks(names: readonly string[], filters: TaskFilters = {}): Promise<ChosenTasks> {
  const [paths, others] = [names.filter(isTaskPath), names.filter((name) => !isTaskPath(name))]
  const own = await readTaskFiles(paths)
  const filtered = [filters.types, filters.domains, filters.benchmarks].some((list) => list !== undefined)
  if (others.length === 0 && paths.length > 0 && !filtered)
    return { tasks: own.tasks, ownData: own.data, skipped: [], selections: new Map(), benchmarks: [], notices: [] }
  const found = await findTasks(others.length === 0 ? ['*'] : others, filters)
  return { ...found, tasks: [...found.tasks, ...own.tasks], ownData: own.data }
}
