/** One worker: takes unclaimed jobs until none is left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault, fault } from '#core'
import type { Job, Outcome } from './job.ts'
import { claim, finish, finishedIds, isFinished, makeJobFolders, tell, type WorkEvent } from './job-files.ts'

export interface WorkOptions {
  readonly folder: string
  /** Name of the worker, unique per process; safe as a file name. */
  readonly worker: string
  readonly signal?: AbortSignal | undefined
  /** The next job waits for it. */
  readonly onEvent?: ((event: WorkEvent) => void | Promise<void>) | undefined
}

export interface WorkSummary {
  readonly done: number
  readonly failed: number
  /** Whether it was stopped before the end. */
  readonly stopped: boolean
}

/** Interval between checks of jobs that others have claimed, in milliseconds. */
const patience = 500

/**
 * Each job is run by one worker, which claims it and then checks it again. A dead worker's jobs are taken over; a job
 * that throws is a failed one. On `signal` the claim is released, and the unfinished job stays open. Throws
 * `file.write`, `usage.value` for an invalid name.
 */
export async function work(
  jobs: readonly Job[],
  run: (job: Job, signal: AbortSignal) => Promise<Outcome>,
  options: WorkOptions,
): Promise<WorkSummary> {
  const { folder, worker, signal = new AbortController().signal, onEvent } = options
  if (!/^[\w.-]+$/.test(worker))
    throw fault('usage.value', {
      place: 'worker',
      what: 'not a valid name of a worker',
      seen: worker,
      wanted: 'letters, digits, . and -',
    })
  await makeJobFolders(folder)
  const count = { done: 0, failed: 0 }
  const say = async (event: Omit<WorkEvent, 'worker' | 'at'>): Promise<void> => {
    const whole = { ...event, worker, at: Date.now() }
    await tell(folder, whole)
    await onEvent?.(whole)
  }
  const attempt = async (job: Job, wait: boolean): Promise<void> => {
    const held = await claim(folder, job.id, { wait })
    if (held === undefined) return
    try {
      // between check and claim another worker may have finished it
      if (await isFinished(folder, job.id)) return
      await say({ event: 'claimed', job: job.id })
      const started = performance.now()
      const outcome = await outcomeOf(job, run, signal)
      if (outcome === undefined) return
      const seconds = (performance.now() - started) / 1000
      await finish(folder, { ...outcome, id: job.id, worker, seconds, at: Date.now() })
      count[outcome.state]++
      await say({ event: outcome.state, job: job.id, what: outcome.what, seconds })
    } finally {
      await held.release()
    }
  }
  await say({ event: 'started' })
  const finished = await finishedIds(folder)
  let left = inTurn(
    jobs.filter(({ id }) => !finished.has(id)),
    worker,
  )
  for (const job of left) {
    if (signal.aborted) break
    if (!(await isFinished(folder, job.id))) await attempt(job, false)
  }
  // the remaining jobs are claimed by others, alive or dead
  while (!signal.aborted) {
    const known = await finishedIds(folder)
    left = left.filter(({ id }) => !known.has(id))
    if (left.length === 0) break
    for (const job of left)
      if (!signal.aborted && !(await isFinished(folder, job.id))) await attempt(job, left.length <= few)
    await sleep(patience, undefined, { signal }).catch(() => undefined)
  }
  await say({ event: 'stopped' })
  return { ...count, stopped: signal.aborted }
}

/** Number of jobs whose owners are watched one by one; with more, some become free soon anyway. */
const few = 16

async function outcomeOf(
  job: Job,
  run: (job: Job, signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    return await run(job, signal)
  } catch (error) {
    return signal.aborted ? undefined : { state: 'failed', what: asFault(error, 'internal', job.id).message }
  }
}

/** Group by group, each worker starting from another group, so that they meet as late as possible. */
function inTurn(jobs: readonly Job[], worker: string): readonly Job[] {
  const groups = new Map<string, Job[]>()
  for (const job of jobs) groups.set(job.group, [...(groups.get(job.group) ?? []), job])
  const order = [...groups.values()]
  const start = order.length === 0 ? 0 : placeOf(worker) % order.length
  const turned = [...order.slice(start), ...order.slice(0, start)]
  // also within a group that several workers share
  return turned.flatMap((own) => {
    const from = placeOf(`${worker} ${own[0]?.group ?? ''}`) % own.length
    return [...own.slice(from), ...own.slice(0, from)]
  })
}

/** A number that differs for most names: FNV-1a. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
