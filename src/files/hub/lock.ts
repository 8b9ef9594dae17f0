/**
 * One download of a blob at a time, across processes.
 *
 * The lock saves bandwidth, no more: every download writes to a file of its own and renames it when it is whole and
 * verified, so that a lock that fails – taken over from an owner that only slept, on a file system with odd clocks, or
 * unknown to huggingface_hub, whose flock Node cannot take – costs a second download and never a wrong file. That is
 * also why its name differs from `<etag>.lock`.
 */
import { dirname } from 'node:path'
import { Fault } from '#core'
import { makeFolder, takeLock } from '#platform/disk'
import { stopIfCancelled } from './retry.ts'

export interface LockOptions {
  beatSeconds: number
  signal?: AbortSignal | undefined
  /** Asked while somebody else holds the lock: true ends the wait, for then there is nothing left to do. */
  settled: () => Promise<boolean>
}

/**
 * Runs `work` while holding the lock at `path`; returns without running it when `settled` says so. Throws
 * `run.cancelled` while waiting, and what `work` throws.
 */
export async function underLock(
  path: string,
  { beatSeconds, signal, settled }: LockOptions,
  work: () => Promise<void>,
): Promise<void> {
  const isSettled = async (): Promise<boolean> => {
    stopIfCancelled(signal)
    return settled()
  }
  if (await isSettled()) return
  const lock = await makeFolder(dirname(path))
    .then(() => takeLock(path, { giveUp: isSettled, beatSeconds, fromStopped: true }))
    .catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'file.write') return 'unlockable' as const
      throw error
    })
  if (lock === undefined) return
  try {
    if (!(await isSettled())) await work()
  } finally {
    if (lock !== 'unlockable') await lock.release()
  }
}
