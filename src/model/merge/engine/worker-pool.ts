/** Worker threads that take jobs from one list, each the next as soon as it is free. */
import { Worker } from 'node:worker_threads'
import { compiledSibling, environmentFor, threadBudget } from '#platform/threads'
import { fault, Fault } from '#core'
import type { WorkerAnswer, WorkerJob, WorkerShared } from './worker.ts'

export interface WorkerPool {
  /** Throws the first fault, after the jobs under way have ended; none is started after it. */
  run(
    jobs: readonly WorkerJob[],
    answered: (answer: WorkerAnswer, job: WorkerJob) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void>
  close(): Promise<void>
}

export function startWorkerPool(merges: readonly WorkerShared[], size: number): WorkerPool {
  const each = Math.max(1, Math.floor(threadBudget() / size))
  const workers = Array.from(
    { length: size },
    () =>
      new Worker(compiledSibling(import.meta.url, 'worker'), {
        workerData: merges,
        execArgv: [],
        env: environmentFor(each),
        name: 'strata merge',
      }),
  )
  const ends = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
  return {
    async run(jobs, answered, signal) {
      const waiting = [...jobs]
      let problem: Fault | undefined
      await Promise.all(
        workers.map(async (worker) => {
          for (let job = waiting.shift(); job !== undefined && problem === undefined; job = waiting.shift()) {
            if (signal?.aborted) {
              problem ??= fault('run.cancelled', {
                place: 'merge',
                what: 'stopped',
                hint: 'finished tensors are kept; run the same command again to continue',
              })
              return
            }
            const answer = await ask(worker, job)
            try {
              await answered(answer, job)
            } catch (error) {
              if (!(error instanceof Fault)) throw error
              problem ??= error
            }
            if (answer.problem !== undefined) problem ??= new Fault(answer.problem.code, answer.problem.parts)
          }
        }),
      )
      if (problem !== undefined) throw problem
    },
    async close() {
      for (const worker of workers) worker.postMessage('close', [])
      await Promise.all(ends)
    },
  }
}

function ask(worker: Worker, job: WorkerJob): Promise<WorkerAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: WorkerAnswer): void => {
      worker.off('message', settle)
      worker.off('error', broken)
      worker.off('exit', gone)
      resolve(answer)
    }
    const place = job.kind === 'hash' ? job.path : (job.tensors[0]?.tensor.name ?? '')
    const lost = (what: string): void => settle({ problem: { code: 'internal', parts: { place, what } } })
    const broken = (error: Error): void => lost(`the worker thread failed: ${error.message}`)
    const gone = (): void => lost('the worker thread ended')
    worker.on('message', settle)
    worker.on('error', broken)
    worker.on('exit', gone)
    worker.postMessage(job, [])
  })
}
