/** Runs and searches as tables: running jobs, failures with their reasons, the pulls of a search. */
import { dash, decimals, duration, mean, points } from '#core'
import { jobName } from '#experiment/run'
import { type Cell, counted, numbers, type Table } from '#result/report'
import type { SeenRun, SeenSearch } from './read-places.ts'

/** Jobs that workers have taken. */
export function runningTable(runs: readonly SeenRun[]): Table {
  return {
    id: 'running',
    title: 'Running jobs',
    notes: [],
    columns: [{ title: 'job' }, { title: 'run' }, { title: 'worker' }, { title: 'for', number: true }],
    rows: runs.flatMap((run) =>
      run.status.running.map(({ id, worker, seconds }) => [
        { text: nameIn(run, id) },
        { text: run.name },
        { text: worker },
        { text: duration(seconds), value: seconds },
      ]),
    ),
  }
}

export function failedTable(runs: readonly SeenRun[]): Table {
  return {
    id: 'failed-jobs',
    title: 'Failed jobs',
    notes: ['strata run FILE --resume tries them again.'],
    columns: [{ title: 'job' }, { title: 'run' }, { title: 'reason' }],
    rows: runs.flatMap((run) =>
      run.status.failed.map(({ id, what }) => [
        { text: nameIn(run, id) },
        { text: run.name },
        { text: what, failed: true },
      ]),
    ),
  }
}

/** The latest pull first. */
export function pullsTable({ name, search }: SeenSearch, at: number): Table {
  return {
    id: `pulls-${at + 1}`,
    title: `Pulls of ${name}`,
    notes: ['Mean score × 100 over the tasks of a pull; the best so far is marked.'],
    columns: [
      { title: 'pull', number: true },
      { title: 'arm' },
      { title: 'by' },
      ...numbers('mean', 'best so far', 'tasks', 'seconds'),
      { title: 'failed' },
    ],
    rows: rowsOf(search.pulls).toReversed(),
  }
}

function rowsOf(pulls: SeenSearch['search']['pulls']): Cell[][] {
  let top: number | null = null
  return pulls.map(({ seq, arm, by, scores, tasks, seconds, failed }) => {
    const values = Object.values(scores)
    const score = values.length === 0 ? null : mean(values)
    const isBest = score !== null && (top === null || score > top)
    if (isBest) top = score
    return [
      counted(seq),
      { text: arm },
      { text: by },
      { text: points(score), value: score, best: isBest },
      { text: points(top), value: top },
      counted(tasks.length),
      { text: decimals(seconds, 1), value: seconds },
      { text: failed ?? dash, failed: failed !== undefined },
    ]
  })
}

function nameIn({ plan }: SeenRun, id: string): string {
  const job = plan.jobs.find((one) => one.id === id)
  return job === undefined ? id : jobName(job)
}
