/** Entry of what runs away from its caller: one session in a worker thread; or, started as a process of its own, one probe of a device. */
import { isMainThread, parentPort, workerData, type MessagePort, type Transferable } from 'node:worker_threads'
import { asFault } from '../core/index.ts'
import { activityOf, insideEngine, type Activity } from './activity.ts'
import { printProbe } from './probe.ts'
import { openServer, type OpenRequest, type RunRequest } from './server.ts'
import type { Answer, Question } from './thread.ts'

if (isMainThread) await printProbe(process.argv[2])
else if (parentPort !== null) serve(parentPort, activityOf(workerData as SharedArrayBuffer))

/** The first question opens the session, every other is a run; `close` ends. One thing at a time: the engine holds this thread while it computes. */
function serve(port: MessagePort, activity: Activity): void {
  let queue: Promise<void> = Promise.resolve()
  let server: Awaited<ReturnType<typeof openServer>> | undefined

  const answer = async ({ id, body }: Question): Promise<void> => {
    try {
      const reply = await insideEngine(activity, async () => {
        if (server !== undefined) return server.run(body as RunRequest)
        server = await openServer(body as OpenRequest)
        return { value: server.description, transfer: [] }
      })
      // Stopped: the owner has already refused whoever asked.
      if (reply !== undefined) port.postMessage({ id, value: reply.value } satisfies Answer, reply.transfer as Transferable[])
    } catch (error) {
      const { code, parts } = asFault(error, 'engine.run', 'engine')
      port.postMessage({ id, code, place: parts.place, what: parts.what, hint: parts.hint, seen: parts.seen, wanted: parts.wanted } satisfies Answer)
    }
  }
  port.on('message', (question: Question | 'close') => {
    queue = queue.then(async () => {
      if (question !== 'close') return answer(question)
      await server?.release()
      port.close()
    })
  })
}
