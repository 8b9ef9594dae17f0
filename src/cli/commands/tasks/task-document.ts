/** A task as `--json` prints it. */
import { allBenchmarks, splitSizes } from '#task/registry'
import type { TaskInfo, TaskSelection } from '#task/rows'
import { carriedCounts } from './carried-counts.ts'

/** Its row with every default, its sizes, the benchmarks that contain it, and the requested benchmark's selection. */
export async function taskDocument(task: TaskInfo, asked?: TaskSelection): Promise<Record<string, unknown>> {
  const benchmarks = (await allBenchmarks()).flatMap(({ name, tasks }) => (tasks.has(task.name) ? [name] : []))
  const [sizes, counts] = [await splitSizes(task.name), await carriedCounts(task)]
  return { ...task, runnable: task.unsupported === undefined, sizes, counts, benchmarks, asked }
}
