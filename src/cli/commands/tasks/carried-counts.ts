/** What a task asks, counted in the rows that the package carries. */
import { fault } from '#core'
import { loadTask, type TaskInfo } from '#task/rows'

/** By the names of the task's protocol; undefined for a task whose rows are in a data set. */
export async function carriedCounts(task: TaskInfo): Promise<Readonly<Record<string, number>> | undefined> {
  if (task.carried === undefined) return undefined
  const { counts } = await loadTask(task, {
    openDataset: (path) => Promise.reject(fault('internal', { place: path, what: 'the rows are in the package' })),
  })
  return counts
}
