/**
 * Probes side by side, one a thread: a step is too small to be shared, and layers and seeds know nothing of one
 * another.
 */
import { fault, type Fault } from '#core'
import { compiledSibling, startThread, type Thread, threadBudget } from '#platform/threads'
import type { ProbeJob } from './probe-job.ts'
import { type ProbeOutcome, trainProbe } from './train-probe.ts'

export interface TrainProbesOptions {
  /** Probes at a time. Default: the cores there are. */
  threads?: number | undefined
  signal?: AbortSignal | undefined
  /** Hears of every probe as soon as it is trained; the next one of its thread waits for it. */
  onTrained?: ((outcome: ProbeOutcome, index: number) => Promise<void>) | undefined
}

/** Below this many multiplications an epoch, a probe is trained before a thread has its data. */
const worthAThread = 2 ** 20

/**
 * Trains probes side by side, one per thread, and returns their outcomes in the order of the jobs, which are drawn as
 * threads become free. `x` is [instances × width]; `labels` a class or a number per instance. Throws `run.cancelled`.
 *
 * @example
 * ```ts
 * import { matrix } from 'strata-lm/linalg'
 * import { trainProbes, type ProbeJob } from 'strata-lm/probing'
 *
 * async function* jobs(): AsyncGenerator<ProbeJob> {
 *   const rows = Array.from({ length: 200 }, (_, i) => i)
 *   yield {
 *     x: matrix(
 *       200,
 *       16,
 *       Float32Array.from({ length: 200 * 16 }, (_, i) => (Math.floor(i / 16) % 2 === 0 ? 1 : -1)),
 *     ),
 *     labels: Float64Array.from(rows, (i) => i % 2),
 *     classes: 2,
 *     train: Int32Array.from(rows.slice(0, 160)),
 *     dev: Int32Array.from(rows.slice(160, 180)),
 *     test: Int32Array.from(rows.slice(180)),
 *     seen: new Uint8Array(20),
 *     seed: 0,
 *     settings: { profile: 'corrected', probe: 'linear', mdl: false },
 *   }
 * }
 * const [outcome] = await trainProbes(jobs())
 * console.log(outcome?.accuracy) // → 1
 * ```
 */
export async function trainProbes(
  jobs: AsyncIterable<ProbeJob>,
  { threads = threadBudget(), signal, onTrained }: TrainProbesOptions = {},
): Promise<ProbeOutcome[]> {
  const outcomes: ProbeOutcome[] = []
  const pool: Thread[] = []
  const waiting = jobs[Symbol.asyncIterator]()
  const cancelled = (): Fault => fault('run.cancelled', { place: 'probes', what: 'cancelled', cause: signal?.reason })
  const dismiss = (): void => pool.splice(0).forEach((thread) => void thread.close(cancelled()))
  let position = 0
  let open = true
  const draw = async (): Promise<IteratorResult<ProbeJob, unknown>> => {
    if (signal?.aborted === true) throw cancelled()
    return open ? waiting.next() : { done: true, value: undefined }
  }
  const work = async (worker: number): Promise<void> => {
    for (let turn = await draw(); turn.done !== true; turn = await draw()) {
      const [job, at] = [turn.value, position++]
      const alone = threads === 1 || job.train.length * job.x.width * job.classes < worthAThread
      const outcome = alone
        ? trainProbe(job)
        : ((await (pool[worker] ??= startThread(compiledSibling(import.meta.url, 'probe-worker'))).ask(
            job,
          )) as ProbeOutcome)
      outcomes[at] = outcome
      await onTrained?.(outcome, at)
    }
  }
  signal?.addEventListener('abort', dismiss, { once: true })
  try {
    await Promise.all(Array.from({ length: threads }, (_, worker) => work(worker)))
    return outcomes
  } finally {
    open = false
    signal?.removeEventListener('abort', dismiss)
    const idle = fault('internal', { place: 'probes', what: 'the pool was closed' })
    await Promise.all(pool.splice(0).map((thread) => thread.close(idle)))
  }
}
