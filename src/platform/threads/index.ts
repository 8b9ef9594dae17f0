/**
 * threads: worker threads that answer requests, started from built files.
 *
 * In: the place of a worker program, messages. Out: replies, or the fault that a thread died of.
 * Never: what a request means.
 */
export { compiledBeside } from './compiled.ts'
export { type Reply, serveThread, type Stop } from './serve-thread.ts'
export { startThread, type Thread } from './thread.ts'
