/**
 * The closing lines of a comparison: means and ranks over the tasks that all completed, the missing tasks, and
 * benchmarks' means only when they are complete.
 */
import { asText } from '#result/report'
import { points, dash, quantity } from '#core'
import type { Summary } from '#result/statistics'

/** An incomplete benchmark has no mean (–); the title of the mean over the common tasks has their number. */
export function averageLines(
  { name, averages }: Summary,
  { benchmark = false }: { benchmark?: boolean } = {},
): string[] {
  const { total, common, complete, types, rows, missing } = averages
  if (rows.length === 0) return []
  const several = rows.length > 1
  const withheld = benchmark && !complete
  const header = [
    { title: name },
    ...types.map(({ type, done, of }) => ({
      title: done === of ? `${type} (${of})` : `${type} (${done} of ${of})`,
      number: true,
    })),
    { title: 'Mean (Task)', number: true },
    { title: 'Mean (TaskType)', number: true },
    ...(withheld ? [{ title: `mean of ${common.length}`, number: true }] : []),
    ...(several ? [{ title: 'Borda', number: true }] : []),
  ]
  const lines = asText({
    columns: header,
    rows: rows.map((row) => [
      row.name,
      ...types.map(({ type }) => points(row.byType[type] ?? null)),
      withheld ? dash : points(row.meanTask),
      withheld ? dash : points(row.meanType),
      ...(withheld ? [points(row.meanTask)] : []),
      ...(several ? [row.borda === null ? dash : `${row.borda}`] : []),
    ]),
  })
  const over = complete
    ? `over ${quantity(total, 'task')}`
    : `over ${common.length} of ${quantity(total, 'task')} that ${several ? 'all completed' : 'were completed'}`
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
