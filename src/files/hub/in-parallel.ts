/** Several transfers at a time. */
import { fault } from '#core'
import { stopIfCancelled } from './retry.ts'

/**
 * Runs `work` on every item, a limited number at a time; the first failure stops the others and is thrown when they
 * have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw fault('usage.value', { place: 'concurrency', what: 'not a number of transfers', seen: concurrency })
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const queue = items.values()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (stop.aborted) break
      await work(item, stop).catch((error: unknown) => {
        failures.push(error)
        failed.abort()
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  stopIfCancelled(signal)
}
