/** The entries of a sweep's plan, without their cost: nothing is loaded. */
import type { Model } from '#model/checkpoint'
import { withMembers } from '#task/registry'
import { requestSweep, type SweepOptions } from './sweep-request.ts'
import { planJobs } from './jobs.ts'
import type { PlanEntry } from './plan.ts'

export interface SweepEntry extends PlanEntry {
  /** Fingerprint of everything that can move its scores. */
  readonly fingerprint: string
}

/**
 * One entry per task and representation, members of aggregate tasks included. Throws what opening the model's files
 * throws.
 */
export async function sweepEntries(model: Model, options: SweepOptions): Promise<readonly SweepEntry[]> {
  const tasks = await withMembers(options.tasks)
  const sweep = requestSweep({ ...options, tasks })
  const entries: SweepEntry[] = []
  for (const task of tasks)
    for (const { representation, state, reason, fingerprint } of await planJobs(model, sweep.asked(task), sweep))
      entries.push({ task: task.name, representation, state, reason, fingerprint })
  return entries
}
