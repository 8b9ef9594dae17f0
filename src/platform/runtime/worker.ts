/**
 * Entry of what runs away from its caller: one session in a worker thread; or, started as a process of its own, one
 * probe of a device.
 */
import { isMainThread } from 'node:worker_threads'
import { printProbe } from './probe.ts'
import { serveThread } from '#platform/threads'
import { openServer, type OpenRequest, type RunRequest, type Server } from './server.ts'

if (isMainThread) await printProbe(process.argv[2])
else serveSession()

/** The first question opens the session, every other is a run. */
function serveSession(): void {
  let server: Server | undefined
  serveThread(
    async (body) => {
      if (server !== undefined) return server.run(body as RunRequest)
      server = await openServer(body as OpenRequest)
      return { value: server.description, transfer: [] }
    },
    async () => server?.release(),
  )
}
