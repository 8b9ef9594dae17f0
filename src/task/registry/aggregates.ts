/** Tasks that are an average over others (mteb `AbsTaskAggregate`). */
import { fault } from '#core'
import { taskRegistry } from './registry.ts'
import type { TaskInfo } from '#task/rows'

/** The tasks that an aggregate averages, in its order; none for a task with rows of its own. */
export async function membersOf({ name, members = [] }: TaskInfo): Promise<TaskInfo[]> {
  if (members.length === 0) return []
  const registry = await taskRegistry()
  return members.map((member) => {
    const task = registry.get(member)
    if (task === undefined)
      throw fault('task.unknown', { place: name, what: 'a member of the aggregate is not a task', seen: member })
    return task
  })
}

/** The tasks, each aggregate behind its members; every task once, where it stands first. */
export async function withMembers(tasks: readonly TaskInfo[]): Promise<TaskInfo[]> {
  const known = new Map<string, TaskInfo>()
  for (const task of tasks) {
    for (const member of await withMembers(await membersOf(task)))
      if (!known.has(member.name)) known.set(member.name, member)
    if (!known.has(task.name)) known.set(task.name, task)
  }
  return [...known.values()]
}
