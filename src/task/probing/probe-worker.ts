/** Entry of a thread that trains probes, one after another. */
import { serveThread } from '#platform/threads'
import type { ProbeJob } from './probe-job.ts'
import { trainProbe } from './train-probe.ts'

serveThread(async (body, signal) => ({ value: trainProbe(body as ProbeJob, signal), transfer: [] }))
