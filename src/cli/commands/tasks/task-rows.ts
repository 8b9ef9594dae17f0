/** `strata tasks NAMES --rows`: rows as their evaluation reads them, one JSON object per line. */
import { openRepo } from '#files/hub'
import { requestTask, type TaskInfo, type TaskRow, taskRows } from '#task/rows'
import { checkSubsets } from '#experiment/sweep'
import { selectTasks } from '../../options/choose-tasks.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { sweepOptions } from '../../options/model-options.ts'

/**
 * Prints at most `--limit` rows of every table of a (subset, split). Returns 1 when a part of a task cannot be read, or
 * would be refused by its evaluation.
 */
export async function printTaskRows(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const { profile, splits, subsets, languages, scratch, signal, onProgress } = sweepOptions(flags, terminal)
  const { tasks, ownData, selections } = await selectTasks(
    { ...flags, tasks: names.length === 0 ? undefined : names },
    terminal,
  )
  if (subsets !== undefined) checkSubsets(subsets, tasks)
  let lost = 0
  for (const task of tasks) {
    const asked = selections.get(task.name)
    const { refusal } = requestTask(task, { subsets, languages, selection: asked })
    if (refusal !== undefined && tasks.length > 1) {
      terminal.note(`missing  ${task.name}: ${refusal.message}`)
      lost++
      continue
    }
    const read = await taskRows(task, {
      openDataset: async (path, revision) =>
        ownData.get(path)?.() ?? openRepo(`${path}@${revision}`, { type: 'dataset', signal, onProgress }),
      profile,
      scratch,
      signal,
      onProgress,
      splits: splits ?? asked?.splits,
      subsets: subsets ?? asked?.subsets,
      languages,
    })
    try {
      for (const line of limited(read.rows(), flags.limit ?? Infinity)) terminal.print(textOf(task, line))
      for (const { split, subset, reason } of read.missing)
        terminal.note(`missing  ${task.name} › ${subset} › ${split}: ${reason}`)
      lost += read.missing.length
    } finally {
      read.close()
    }
  }
  return lost > 0 ? 1 : 0
}

function* limited(rows: Iterable<TaskRow>, limit: number): Generator<TaskRow> {
  let [of, count] = ['', 0]
  for (const line of rows) {
    const key = JSON.stringify([line.subset, line.split, line.table])
    count = key === of ? count + 1 : 1
    of = key
    if (count <= limit) yield line
  }
}

/** Integers too large for exact JSON numbers become texts. */
function textOf({ name }: TaskInfo, { subset, split, table, row }: TaskRow): string {
  const line = { task: name, subset, split, table, ...row }
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
