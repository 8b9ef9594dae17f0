/**
 * Logistic regressions side by side, one a thread: between the two products of a pass a fit works alone, and products
 * of this size gain little from a second core. Figures:
 * bench/regressions.ts.
 */
import { compiledSibling, startThread, type Thread, threadBudget } from '#platform/threads'
import { fault, type Fault, type Matrix } from '#core'
import { fitLogistic, type LogisticModel, type LogisticOptions } from './logistic-regression.ts'
import type { LogisticJob } from './logistic-worker.ts'

export interface LogisticSample {
  readonly x: Matrix
  readonly labels: ArrayLike<number>
  readonly classes: number
}

export interface LogisticPoolOptions extends Pick<LogisticOptions, 'C' | 'tolerance' | 'maxIterations'> {
  /** Fits at a time. Default: the budget of the process. */
  threads?: number | undefined
  signal?: AbortSignal | undefined
}

/** Below this many multiplications a pass, a fit is over before a thread has its sample. */
const worthAThread = 2 ** 20

/**
 * `fitLogistic` of every sample, in their order and with the same bits; samples are drawn as threads become free.
 * Throws like it, and `run.cancelled`.
 */
export async function fitLogisticEach(
  samples: Iterable<LogisticSample>,
  { threads = threadBudget(), signal, ...options }: LogisticPoolOptions = {},
): Promise<LogisticModel[]> {
  const models: LogisticModel[] = []
  const waiting = samples[Symbol.iterator]()
  const cancelled = (): Fault =>
    fault('run.cancelled', { place: 'logistic regression', what: 'cancelled', cause: signal?.reason })
  const dismiss = (): void => void closePool(cancelled())
  let position = 0
  let open = true
  const draw = (): LogisticSample | undefined => {
    if (signal?.aborted === true) throw cancelled()
    const turn = open ? waiting.next() : undefined
    return turn === undefined || turn.done === true ? undefined : turn.value
  }
  const work = async (worker: number): Promise<void> => {
    for (let sample = draw(); sample !== undefined; sample = draw()) {
      const { x, labels, classes } = sample
      const at = position++
      const job: LogisticJob = { x, labels: Int32Array.from(labels), classes, options }
      const alone = threads === 1 || x.rows * x.width * classes < worthAThread
      models[at] = alone
        ? await fitLogistic(x, labels, classes, { ...options, signal })
        : ((await threadOf(worker).ask(job)) as LogisticModel)
    }
  }
  signal?.addEventListener('abort', dismiss, { once: true })
  try {
    await Promise.all(Array.from({ length: threads }, (_, worker) => work(worker)))
  } finally {
    open = false
    signal?.removeEventListener('abort', dismiss)
  }
  return models
}

/** Threads of the whole process, each started when first needed; idle ones do not keep it alive. */
let pool: Thread[] = []

function threadOf(worker: number): Thread {
  const known = pool[worker]
  return known !== undefined && !known.ended
    ? known
    : (pool[worker] = startThread(compiledSibling(import.meta.url, 'logistic-worker')))
}

async function closePool(reason: Fault): Promise<void> {
  const dismissed = pool
  pool = []
  await Promise.all(dismissed.map((thread) => thread.close(reason)))
}
