/** The closing lines of a comparison: means and ranks over the tasks that all completed, what is missing, and benchmarks' means only when they are whole. */
import type { Result } from '#core'
import { type AskedTask, averagesOf, type Averages, type Contender } from '#result/statistics'
import { findTasks, type FoundTasks } from '#task/registry'
import { tableLines } from './table.ts'

/** Averages over everything asked for, or over each benchmark: what the filters left out of one is missing from it as much as what failed. */
export async function summaries(
  found: FoundTasks,
  results: readonly Result[],
  asked: { splits?: readonly string[] | undefined } = {},
): Promise<{ name: string; averages: Averages }[]> {
  const all = [...found.tasks, ...found.skipped.map(({ task }) => task)]
  const reasons = new Map(found.skipped.map(({ task, reason }) => [task.name, reason]))
  if (found.benchmarks.length === 0) {
    const tasks = all.map(({ name, type }): AskedTask => ({ name, type, ...asked }))
    return [{ name: 'all tasks', averages: averagesOf(tasks, contendersOf(results, reasons)) }]
  }
  const types = new Map((await findTasks(['*'], { runnable: false })).tasks.map(({ name, type }) => [name, type]))
  const chosen = new Set(all.map(({ name }) => name))
  for (const { tasks } of found.benchmarks) for (const name of tasks.keys()) if (!chosen.has(name)) reasons.set(name, 'not asked for')
  const contenders = contendersOf(results, reasons)
  return found.benchmarks.map(({ name, tasks }) => ({
    name,
    averages: averagesOf(
      [...tasks].map(([task, selection]): AskedTask => ({ name: task, type: types.get(task) ?? '', ...selection })),
      contenders,
    ),
  }))
}

/** One contender a (model, representation), in the order of their first result. */
export function contendersOf(results: readonly Result[], skipped: ReadonlyMap<string, string> = new Map()): Contender[] {
  const models = new Set(results.map(({ strata }) => strata.model))
  const rows = new Map<string, { scores: Map<string, NonNullable<Result['scores']>>; reasons: Map<string, string> }>()
  for (const { task_name: task, scores, strata } of results) {
    const name = models.size > 1 ? `${strata.model} ${strata.representation}` : strata.representation
    const row = rows.get(name) ?? { scores: new Map(), reasons: new Map(skipped) }
    rows.set(name, row)
    if (strata.status === 'ok' && scores !== undefined) row.scores.set(task, scores)
    else row.reasons.set(task, strata.reason ?? strata.code ?? 'failed')
  }
  return [...rows].map(([name, row]) => ({ name, ...row }))
}

/** A benchmark that is not whole has no mean of its own (—); the mean over the tasks that all completed says over how many. */
export function averageLines({ name, averages }: { name: string; averages: Averages }, { benchmark = false }: { benchmark?: boolean } = {}): string[] {
  const { total, common, complete, types, rows, missing } = averages
  if (rows.length === 0) return []
  const several = rows.length > 1
  const number = (value: number | null): string => (value === null ? '—' : (100 * value).toFixed(2))
  const withheld = benchmark && !complete
  const header = [
    { title: name },
    ...types.map(({ type, done, of }) => ({ title: done === of ? `${type} (${of})` : `${type} (${done} of ${of})`, right: true })),
    { title: 'Mean (Task)', right: true },
    { title: 'Mean (TaskType)', right: true },
    ...(withheld ? [{ title: `mean of ${common.length}`, right: true }] : []),
    ...(several ? [{ title: 'Borda', right: true }] : []),
  ]
  const lines = tableLines(
    header,
    rows.map((row) => [
      row.name,
      ...types.map(({ type }) => number(row.byType[type] ?? null)),
      withheld ? '—' : number(row.meanTask),
      withheld ? '—' : number(row.meanType),
      ...(withheld ? [number(row.meanTask)] : []),
      ...(several ? [row.borda === null ? '—' : `${row.borda}`] : []),
    ]),
  )
  const over = complete ? `over ${total} tasks` : `over ${common.length} of ${total} tasks that ${several ? 'all completed' : 'were completed'}`
  return [
    ...lines,
    `${over}${withheld ? '; the benchmark’s means are withheld' : ''}`,
    ...missing
      .slice(0, shown)
      .map(({ task, who, reason }) => `missing  ${task}${several && who.length < rows.length ? ` (${who.join(', ')})` : ''}: ${reason}`),
    ...(missing.length > shown ? [`… and ${missing.length - shown} more (--json has all)`] : []),
  ]
}

const shown = 60
