/**
 * The worker's side of a thread: questions are answered one at a time, since the engine holds the thread while it
 * computes.
 */
import { parentPort, workerData, type Transferable } from 'node:worker_threads'
import { asFault, fault } from '#core'
import { activityOf, insideEngine, isStopped } from './activity.ts'
import type { Answer, Question } from './thread.ts'

export interface Reply {
  readonly value: unknown
  /** Buffers of the value that move instead of being copied. */
  readonly transfer: readonly ArrayBuffer[]
}

/** Whether the owner has stopped waiting; shaped like an AbortSignal, for work that checks it now and then. */
export interface Stop {
  readonly aborted: boolean
  readonly reason?: unknown
}

/**
 * Answers what the owner (`startThread`) asks until it says `close`; then `release` runs and the thread ends. Throws
 * `internal` outside a thread.
 */
export function serveThread(
  reply: (body: unknown, stop: Stop) => Promise<Reply>,
  release: () => Promise<void> = async () => {},
): void {
  const port = parentPort
  if (port === null) throw fault('internal', { place: 'thread', what: 'started as a program' })
  const activity = activityOf(workerData as SharedArrayBuffer)
  const stop: Stop = {
    get aborted() {
      return isStopped(activity)
    },
  }
  let queue: Promise<void> = Promise.resolve()

  const answer = async ({ id, body }: Question): Promise<void> => {
    try {
      const found = await insideEngine(activity, () => reply(body, stop))
      // Stopped: the owner has already refused whoever asked.
      if (found !== undefined)
        port.postMessage({ id, value: found.value } satisfies Answer, found.transfer as Transferable[])
    } catch (error) {
      const { code, parts } = asFault(error, 'engine.run', 'engine')
      port.postMessage({
        id,
        code,
        place: parts.place,
        what: parts.what,
        hint: parts.hint,
        seen: parts.seen,
        wanted: parts.wanted,
      } satisfies Answer)
    }
  }
  port.on('message', (question: Question | 'close') => {
    queue = queue.then(async () => {
      if (question !== 'close') return answer(question)
      await release()
      port.close()
    })
  })
}
