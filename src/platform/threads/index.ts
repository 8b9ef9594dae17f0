/**
 * threads: worker threads that answer requests, started from built files.
 *
 * In: the path of a worker program, messages. Out: replies, or the fault that ended the thread.
 * Never: the meaning of a request.
 */
export { compiledSibling } from './compiled.ts'
export { type Reply, serveThread, type Stop } from './serve-thread.ts'
export { startThread, type Thread } from './thread.ts'
