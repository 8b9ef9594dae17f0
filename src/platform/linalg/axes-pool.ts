/**
 * Principal axes of several matrices side by side, one a thread: the reduction to tridiagonal form, two thirds of the
 * work, runs on one core.
 */
import type { Matrix64 } from '#core'
import { compiledSibling, startThread, type Thread, threadBudget } from '#platform/threads'
import type { AxesJob } from './axes-worker.ts'
import { type PrincipalAxes, principalAxes } from './principal-axes.ts'

/** A smaller one is solved before a thread has it. */
const worthAThread = 512
/** Several larger ones at a time would take too much memory: 0.7 GB each at 4,096 rows. */
export const widestApart = 4096

/**
 * `principalAxes` with the same bits, away from this thread where that is worth it: calls that are not waited for are
 * computed side by side.
 */
export async function principalAxesApart(symmetric: Matrix64, count: number): Promise<PrincipalAxes> {
  if (symmetric.rows < worthAThread || symmetric.rows > widestApart) return principalAxes(symmetric, count)
  return (await leastBusy().ask({ symmetric, count } satisfies AxesJob)) as PrincipalAxes
}

/** Threads of the whole process, each started when first needed; idle ones do not keep it alive. */
let pool: Thread[] = []

function leastBusy(): Thread {
  pool = pool.filter(({ ended }) => !ended)
  const idle = pool.find(({ waiting }) => waiting === 0)
  if (idle !== undefined) return idle
  if (pool.length < threadBudget()) {
    const thread = startThread(compiledSibling(import.meta.url, 'axes-worker'))
    pool.push(thread)
    return thread
  }
  return pool.reduce((least, one) => (one.waiting < least.waiting ? one : least))
}
