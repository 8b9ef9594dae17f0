/** A task as `--json` prints it. */
import { allBenchmarks, splitSizes } from '#task/registry'
import type { TaskInfo, TaskSelection } from '#task/rows'

/** Its row with every default, its sizes, the benchmarks that contain it, and the requested benchmark's selection. */
export async function taskDocument(task: TaskInfo, asked?: TaskSelection): Promise<Record<string, unknown>> {
  const benchmarks = (await allBenchmarks()).flatMap(({ name, tasks }) => (tasks.has(task.name) ? [name] : []))
  return { ...task, runnable: task.unsupported === undefined, sizes: await splitSizes(task.name), benchmarks, asked }
}
