/** A graph opened for running, away from this thread. */
import { asFault, type Device, fault, type Fault, parseDevice } from '#core'
import { compiledSibling, startThread, type Thread, threadBudget } from '#platform/threads'
import { type Engine, engineNames, type Precision, precisions } from './engine.ts'
import { mapsFiles } from './mapped-file.ts'
import { probeDevice } from './probe.ts'
import type { Description, OpenRequest, RunRequest } from './server.ts'
import { checkFeeds, transferable, type Feeds, type Outputs, type ValueInfo } from './tensors.ts'
import { placeWeights, type RunnableGraph } from './weights.ts'

export interface SessionOptions {
  /** Threads of each worker; default: the cores there are, shared among the workers. */
  threads?: number | undefined
  /**
   * Sessions of the same graph side by side. More than one wins nothing on short texts, and each further one takes
   * memory for its activations and its folded weights.
   */
  workers?: number
  device?: Device | undefined
  /** `openvino` wants its library on this machine (`engineStates` says whether it is); default: onnxruntime. */
  engine?: Engine | undefined
  /**
   * Arithmetic of products; default float32. Refused with `engine.device` where engine or processor have it not, never
   * replaced by another.
   */
  precision?: Precision | undefined
  /** Ends opening with `run.cancelled`. */
  signal?: AbortSignal
}

export interface RunOptions {
  /** Names of the outputs wanted; default: all. Other outputs are not copied out of the engine. */
  outputs?: readonly string[]
  /** Names of feeds that come back among the outputs: their buffers may be written to and fed again. */
  handBack?: readonly string[] | undefined
  /** Refuses with `run.cancelled`; a run already in the engine is computed and dropped. */
  signal?: AbortSignal
}

export interface Session {
  /** Every worker has died: nothing can be run any more. */
  readonly lost: boolean
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  /**
   * Runs once; runs asked for meanwhile wait, two are kept at each worker. The feeds are handed over: a buffer that
   * belongs to one feed alone moves to the worker and is empty afterwards. Throws `engine.run`.
   */
  run(feeds: Feeds, options?: RunOptions): Promise<Outputs>
  /** Frees the engine's memory. Unfinished runs are refused with `run.cancelled`. */
  close(): Promise<void>
}

/** One run computes while the next one waits. */
const inFlight = 2
const most = { threads: 1024, workers: 64 }

/**
 * Opens a graph on a device. Weights are read where they lie: files of any folders, links followed.
 * Throws `engine.load`, `engine.device` (no such engine, device or precision here), `file.missing`, `file.unreadable`,
 * `usage.value`, `run.cancelled`.
 */
export async function openSession(
  graph: RunnableGraph,
  {
    workers = 1,
    threads = defaultThreads(workers),
    device = 'cpu',
    engine = 'onnxruntime',
    precision = 'float32',
    signal,
  }: SessionOptions = {},
): Promise<Session> {
  checkCount('threads', threads, most.threads)
  checkCount('workers', workers, most.workers)
  parseDevice(device)
  checkName('engine', engine, engineNames)
  checkName('precision', precision, precisions)
  if (signal?.aborted) throw cancelled('opening was cancelled')
  // A driver that crashes shall not take this process along.
  if (device !== 'cpu' && engine === 'onnxruntime') await probeDevice(device)
  const placed = await placeWeights(graph, { inMemory: engine === 'openvino' && !mapsFiles })
  const request: OpenRequest = { engine, placed, threads, device, precision }

  const pool = Array.from({ length: workers }, () => startThread(compiledSibling(import.meta.url, 'worker')))
  const end = async (reason: Fault): Promise<void> => {
    await Promise.all(pool.map((thread) => thread.close(reason)))
  }
  const onAbort = (): void => void end(cancelled('opening was cancelled'))
  signal?.addEventListener('abort', onAbort)
  try {
    const [description] = (await Promise.all(pool.map((thread) => thread.ask(request)))) as Description[]
    if (description === undefined) throw fault('internal', { place: 'session', what: 'no worker answered' })
    return session(pool, description)
  } catch (error) {
    const reason = asFault(error, 'engine.load', 'engine')
    await end(reason)
    throw reason
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

interface Waiting {
  start(thread: Thread): void
  refuse(reason: Fault): void
}

function session(pool: readonly Thread[], { inputs, outputs }: Description): Session {
  const queue: Waiting[] = []
  let closed: Promise<void> | undefined

  const dispatch = (): void => {
    while (queue.length > 0) {
      const living = pool.filter(({ ended }) => !ended)
      // when all have died, one of them reports the fault
      const thread = (living.length > 0 ? living : pool).reduce((least, one) =>
        one.waiting < least.waiting ? one : least,
      )
      if (thread.waiting >= inFlight) return
      queue.shift()?.start(thread)
    }
  }
  return {
    get lost() {
      return pool.every(({ ended }) => ended)
    },
    inputs,
    outputs,
    run(feeds, { outputs: wanted, handBack, signal } = {}) {
      return new Promise<Outputs>((resolve, reject) => {
        if (closed !== undefined) throw fault('engine.run', { place: 'session', what: 'session is closed' })
        if (signal?.aborted) throw cancelled('run was cancelled')
        checkFeeds(inputs, feeds)
        checkOutputs(outputs, wanted)
        checkFed(feeds, handBack)
        const onAbort = (): void => {
          const at = queue.indexOf(waiting)
          if (at >= 0) queue.splice(at, 1)
          reject(cancelled('run was cancelled'))
        }
        const waiting: Waiting = {
          start(thread) {
            const request: RunRequest = { feeds, outputs: wanted, handBack }
            thread
              .ask(request, transferable(Object.values(feeds)))
              .then((value) => resolve(value as Outputs), reject)
              .finally(() => {
                signal?.removeEventListener('abort', onAbort)
                dispatch()
              })
          },
          refuse(reason) {
            signal?.removeEventListener('abort', onAbort)
            reject(reason)
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        dispatch()
      })
    },
    close() {
      const reason = cancelled('session was closed')
      for (const waiting of queue.splice(0)) waiting.refuse(reason)
      closed ??= Promise.all(pool.map((thread) => thread.close(reason))).then(() => undefined)
      return closed
    },
  }
}

function checkOutputs(outputs: readonly ValueInfo[], wanted: readonly string[] | undefined): void {
  const known = outputs.map((output) => output.name)
  const stranger = wanted?.find((name) => !known.includes(name))
  if (stranger !== undefined)
    throw fault('engine.run', { place: stranger, what: 'the graph has no such output', wanted: known })
}

function checkFed(feeds: Feeds, handBack: readonly string[] = []): void {
  const stranger = handBack.find((name) => feeds[name] === undefined)
  if (stranger !== undefined)
    throw fault('engine.run', { place: stranger, what: 'not fed, so it cannot come back', wanted: Object.keys(feeds) })
}

function checkName<Name extends string>(place: string, name: Name, known: readonly Name[]): void {
  if (!known.includes(name)) throw fault('usage.value', { place, what: `no such ${place}`, seen: name, wanted: known })
}

function checkCount(place: string, value: number, limit: number): void {
  if (!Number.isInteger(value) || value < 1 || value > limit)
    throw fault('usage.value', { place, what: 'not a count that works', seen: value, wanted: `1 … ${limit}` })
}

function defaultThreads(workers: number): number {
  return Math.max(1, Math.floor(threadBudget() / Math.max(1, workers)))
}

function cancelled(what: string): Fault {
  return fault('run.cancelled', { place: 'session', what })
}
