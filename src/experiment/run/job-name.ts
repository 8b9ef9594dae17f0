/** A job for people. */
import type { ExperimentJob } from './plan-experiment.ts'

/** Its model, pooling and work. */
export function jobName(job: ExperimentJob): string {
  return [job.reference, job.pooling, workOf(job)].filter((part) => part !== undefined).join('  ')
}

function workOf({ kind, tasks, seed }: ExperimentJob): string {
  if (kind === 'search')
    return `search over ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, seed ${seed ?? ''}`
  if (kind === 'aggregate') return `combinations of layers, seed ${seed ?? ''}`
  return kind === 'probe' ? `probes of ${tasks.join(',')}` : tasks.join(',')
}
