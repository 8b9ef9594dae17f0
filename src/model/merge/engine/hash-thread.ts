/**
 * Hashes of files while they are filled, in a thread of their own: nobody who writes or deals out work waits for them.
 */
import { Worker } from 'node:worker_threads'
import { fault, Fault } from '#core'
import type { FilledHash } from '#platform/disk'
import { compiledSibling } from '#platform/threads'
import type { HashAnswer, HashOrder, HashWork } from './hash-worker.ts'

export function hashThread(work: HashWork): FilledHash {
  const worker = new Worker(compiledSibling(import.meta.url, 'hash-worker'), {
    workerData: work,
    execArgv: [],
    name: 'strata hash',
  })
  let failure = 'the thread that hashes ended'
  worker.on('error', (error) => (failure = `the thread that hashes failed: ${String(error)}`))
  const ended = new Promise<HashAnswer>((resolve) => {
    worker.once('exit', () => resolve({ problem: { code: 'internal', parts: { place: 'merge', what: failure } } }))
  })
  const answered = new Promise<HashAnswer>((resolve) => void worker.once('message', resolve))
  const order = (what: HashOrder): void => worker.postMessage(what, [])
  return {
    filled: (path, from, to) => order([path, from, to]),
    async finish() {
      order('finish')
      const { hashes, problem } = await Promise.race([answered, ended])
      if (hashes === undefined)
        throw problem === undefined
          ? fault('internal', { place: 'merge', what: failure })
          : new Fault(problem.code, problem.parts)
      return new Map(hashes)
    },
    async close() {
      order('close')
      await ended
    },
  }
}
