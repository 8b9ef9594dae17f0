/**
 * Trying again: exponential pauses, the server's own Retry-After, a bounded number of tries and a bounded time in all.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Fault, fault } from '#core'
import type { Patience } from './settings.ts'

/** Faults that another try may cure, with the seconds the server asked to wait (0: it did not say). */
const curable = new WeakMap<Fault, number>()

/** Marks a fault as worth another try. */
export function retryable(trouble: Fault, retryAfterSeconds = 0): Fault {
  curable.set(trouble, retryAfterSeconds)
  return trouble
}

export interface RetryOptions {
  patience: Patience
  signal?: AbortSignal | undefined
  /** Something that grows as long as tries are worth it (bytes on disk): growth makes the count of tries start anew. */
  gained?: (() => number) | undefined
}

/**
 * Runs `attempt` until it succeeds, fails for good, or patience ends; then throws the last fault. Stopping by signal
 * throws `run.cancelled`.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { patience, signal, gained = () => 0 }: RetryOptions,
): Promise<T> {
  let failures = 0
  let waited = 0
  for (let best = gained(); ;) {
    stopIfCancelled(signal)
    try {
      return await attempt()
    } catch (error) {
      stopIfCancelled(signal)
      if (!(error instanceof Fault)) throw error
      const asked = curable.get(error)
      if (asked === undefined) throw error
      failures = gained() > best ? 0 : failures + 1
      best = Math.max(best, gained())
      const seconds =
        asked > 0 ? asked : Math.min(patience.longestSeconds, patience.firstSeconds * 2 ** Math.max(0, failures - 1))
      waited += seconds
      if (failures > patience.retries || waited > patience.totalSeconds) throw error
      await sleep(seconds, signal)
    }
  }
}

/** Throws `run.cancelled` if the signal says so. */
export function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw fault('run.cancelled', {
      place: 'hub',
      what: 'stopped before it was finished',
      hint: 'start it again: finished transfers are kept',
    })
}

/** Waits; a signal ends the wait with `run.cancelled`. */
export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await pause(seconds * 1000, undefined, { signal })
  } catch {
    stopIfCancelled(signal)
  }
}
