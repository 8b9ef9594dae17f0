/** Worker threads that take tensors from one list, each the next as soon as it is free. */
import { Worker } from 'node:worker_threads'
import { fault, Fault } from '../core/index.ts'
import type { TensorOutcome } from './run-tensor.ts'
import type { WorkerAnswer, WorkerJob, WorkerShared } from './worker.ts'
import { workerUrl } from './worker-url.ts'

export interface Crew {
  /** Throws the first fault, after the jobs under way have ended; none is started after it. */
  run(jobs: readonly WorkerJob[], finished: (outcome: TensorOutcome) => Promise<void>, signal: AbortSignal | undefined): Promise<void>
  close(): Promise<void>
}

export function startCrew(shared: WorkerShared, size: number): Crew {
  const workers = Array.from({ length: size }, () => new Worker(workerUrl(), { workerData: shared, execArgv: [], name: 'strata merge' }))
  const ends = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
  return {
    async run(jobs, finished, signal) {
      const waiting = [...jobs]
      let problem: Fault | undefined
      await Promise.all(
        workers.map(async (worker) => {
          for (let job = waiting.shift(); job !== undefined && problem === undefined; job = waiting.shift()) {
            if (signal?.aborted) {
              problem ??= fault('run.cancelled', { place: 'merge', what: 'stopped', hint: 'finished tensors are kept; run the same command again to go on' })
              return
            }
            const answer = await ask(worker, job)
            if ('outcome' in answer) await finished(answer.outcome)
            else problem ??= new Fault(answer.code, answer.parts)
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
    const lost = (what: string): void => settle({ code: 'internal', parts: { place: job.tensor.name, what } })
    const broken = (error: Error): void => lost(`the worker thread failed: ${error.message}`)
    const gone = (): void => lost('the worker thread ended')
    worker.on('message', settle)
    worker.on('error', broken)
    worker.on('exit', gone)
    worker.postMessage(job, [])
  })
}
