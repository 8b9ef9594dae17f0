/** `strata tasks`: what can be asked. */
import { findTasks } from '../../tasks/index.ts'
import type { CommandRun } from '../command.ts'
import { tableLines } from '../table.ts'

export const run: CommandRun = async (names, flags, terminal) => {
  const { types, languages } = flags as { types?: string[]; languages?: string[] }
  const { tasks, notices } = await findTasks(names.length === 0 ? ['*'] : names, { ...(types ? { types } : {}), ...(languages ? { languages } : {}) })
  for (const notice of notices) terminal.note(notice)
  if (flags.json === true) {
    for (const task of tasks) terminal.print(JSON.stringify(task))
    return 0
  }
  const rows = tasks.map((task) => {
    const codes = [
      ...new Set(
        Object.values(task.subsets)
          .flat()
          .map((language) => language.split('-')[0] ?? ''),
      ),
    ]
    return [
      task.name,
      task.type,
      task.splits.join(','),
      `${Object.keys(task.subsets).length}`,
      codes.length > 4 ? `${codes.slice(0, 4).join(',')}…` : codes.join(','),
      task.mainScore,
    ]
  })
  for (const line of tableLines(
    [{ title: 'task' }, { title: 'type' }, { title: 'splits' }, { title: 'subsets', right: true }, { title: 'languages' }, { title: 'main score' }],
    rows,
  ))
    terminal.print(line)
  terminal.print(`\n${tasks.length} tasks`)
  return 0
}
