/**
 * One worker thread asked for one thing after another; whatever happens to it, every question gets its answer or a
 * fault.
 */
import { Worker, type Transferable } from 'node:worker_threads'
import { fault, type Fault, type FaultCode } from '#core'
import { environmentFor } from './budget.ts'
import { guardExit, type Activity } from './activity.ts'

export interface Question {
  readonly id: number
  readonly body: unknown
}

/** Faults cross threads as their code and parts. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number
      readonly code: FaultCode
      readonly place: string
      readonly what: string
      readonly hint: string | undefined
      readonly seen: unknown
      readonly wanted: unknown
    }

export interface Thread {
  /** Questions unanswered. */
  readonly waiting: number
  /** It answers nothing any more. */
  readonly ended: boolean
  /** Throws what the worker threw, or `engine.run` when it stops first. Buffers in `transfer` move. */
  ask(body: unknown, transfer?: readonly ArrayBuffer[]): Promise<unknown>
  /**
   * Rejects unanswered requests with `reason` and lets the worker finish its native call; resolves when its memory is
   * free.
   */
  close(reason: Fault): Promise<void>
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: Fault) => void
}

/**
 * Starts the script at `url`; its `workerData` is the activity flags it must keep (see `activity.ts`). A thread with
 * nothing to answer does not keep the process alive.
 */
export function startThread(url: URL): Thread {
  const { activity, release } = guardExit()
  // Flags of the parent process (test runners, loaders) are not for the engine.
  // A thread of a pool is one thread: what it calls has no pool of its own, unless it is asked to.
  const worker = new Worker(url, {
    workerData: activity.shared,
    execArgv: [],
    env: environmentFor(1),
    name: 'strata engine',
  })
  const waiting = new Map<number, Waiting>()
  let next = 0
  let end: Fault | undefined

  const refuseAll = (reason: Fault): void => {
    end ??= reason
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    worker.unref()
  }
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      release()
      refuseAll(stopped(`it ended with code ${code}`))
      resolve()
    })
  })
  worker.on('error', (error: unknown) =>
    refuseAll(stopped(error instanceof Error ? error.message : String(error), error)),
  )
  worker.on('messageerror', (error) => refuseAll(stopped('its answer could not be read', error)))
  worker.on('message', (answer: Answer) => {
    const asker = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (asker === undefined) return
    if (waiting.size === 0) worker.unref()
    if ('value' in answer) asker.resolve(answer.value)
    else asker.reject(revive(answer))
  })
  worker.unref()

  return {
    get waiting() {
      return waiting.size
    },
    get ended() {
      return end !== undefined
    },
    ask(body, transfer = []) {
      if (end !== undefined) return Promise.reject(end)
      const id = next++
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.ref()
        try {
          worker.postMessage({ id, body } satisfies Question, transfer as Transferable[])
        } catch (error) {
          waiting.delete(id)
          if (waiting.size === 0) worker.unref()
          reject(
            fault('engine.run', {
              place: 'engine',
              what: 'this cannot be handed to a thread',
              seen: String(error),
              cause: error,
            }),
          )
        }
      })
    },
    async close(reason) {
      refuseAll(reason)
      stop(activity)
      worker.ref()
      worker.postMessage('close', [])
      await exited
    },
  }
}

/** From now on the worker begins nothing; what it is in the middle of, it finishes. */
function stop({ flags }: Activity): void {
  Atomics.store(flags, 1, 1)
}

function stopped(why: string, cause?: unknown): Fault {
  return fault('engine.run', {
    place: 'engine',
    what: 'the worker stopped',
    seen: why,
    hint: 'open the model again; if memory ran out, use smaller batches',
    cause,
  })
}

function revive({ code, place, what, hint, seen, wanted }: Extract<Answer, { code: FaultCode }>): Fault {
  return fault(code, {
    place,
    what,
    seen,
    wanted,
    hint,
  })
}
