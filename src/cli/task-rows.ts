/** `strata tasks NAMES --rows`: rows as their evaluation reads them, one JSON object a line. */
import { fault } from '../core/index.ts'
import { openRepo } from '../hub/index.ts'
import { findTasks, isTaskPath, readTaskFiles, type TaskInfo, type TaskRow, taskRows } from '../tasks/index.ts'
import type { FlagValues, Terminal } from './command.ts'
import { sweepOptions } from './options.ts'

/** Prints at most `--limit` rows of every table of a (subset, split); 1 when a part could not be read. */
export async function printTaskRows(names: readonly string[], flags: FlagValues, terminal: Terminal): Promise<number> {
  if (names.length === 0)
    throw fault('usage.value', { place: '--rows', what: 'no task named', hint: 'strata tasks STS17 --rows; a task file or a folder of your own will do' })
  const { profile, splits, subsets, languages, scratch, signal, onProgress } = sweepOptions(flags, terminal)
  const own = await readTaskFiles(names.filter(isTaskPath))
  const others = names.filter((name) => !isTaskPath(name))
  const found = others.length === 0 ? { tasks: [], notices: [] } : await findTasks(others)
  for (const notice of found.notices) terminal.note(notice)
  let code = 0
  for (const task of [...found.tasks, ...own.tasks]) {
    const read = await taskRows(task, {
      openDataset: async (path, revision) => own.data.get(path)?.() ?? openRepo(`${path}@${revision}`, { type: 'dataset', signal, onProgress }),
      profile,
      scratch,
      signal,
      onProgress,
      ...(splits ? { splits } : {}),
      ...(subsets ? { subsets } : {}),
      ...(languages ? { languages } : {}),
    })
    try {
      for (const line of limited(read.rows(), (flags.limit as number | undefined) ?? Infinity)) terminal.print(textOf(task, line))
      for (const { split, subset, reason } of read.missing) {
        terminal.note(`${task.name} › ${subset} › ${split} could not be read: ${reason}`)
        code = 1
      }
    } finally {
      read.close()
    }
  }
  return code
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

/** Integers beyond what JSON readers keep exact are texts. */
function textOf({ name }: TaskInfo, { subset, split, table, row }: TaskRow): string {
  const line = { task: name, subset, split, ...(table === undefined ? {} : { table }), ...row }
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
