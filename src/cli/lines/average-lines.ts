/**
 * The closing lines of a comparison: means and ranks over the tasks that all completed, what is missing, and
 * benchmarks' means only when they are whole.
 */
import type { Summary } from '#result/statistics'
import { tableLines } from './table.ts'

/**
 * A benchmark that is not whole has no mean of its own (—); the mean over the tasks that all completed says over how
 * many.
 */
export function averageLines(
  { name, averages }: Summary,
  { benchmark = false }: { benchmark?: boolean } = {},
): string[] {
  const { total, common, complete, types, rows, missing } = averages
  if (rows.length === 0) return []
  const several = rows.length > 1
  const number = (value: number | null): string => (value === null ? '—' : (100 * value).toFixed(2))
  const withheld = benchmark && !complete
  const header = [
    { title: name },
    ...types.map(({ type, done, of }) => ({
      title: done === of ? `${type} (${of})` : `${type} (${done} of ${of})`,
      right: true,
    })),
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
  const over = complete
    ? `over ${total} tasks`
    : `over ${common.length} of ${total} tasks that ${several ? 'all completed' : 'were completed'}`
  return [
    ...lines,
    `${over}${withheld ? '; the benchmark’s means are withheld' : ''}`,
    ...missing
      .slice(0, shown)
      .map(
        ({ task, who, reason }) =>
          `missing  ${task}${several && who.length < rows.length ? ` (${who.join(', ')})` : ''}: ${reason}`,
      ),
    ...(missing.length > shown ? [`… and ${missing.length - shown} more (--json has all)`] : []),
  ]
}

const shown = 60
