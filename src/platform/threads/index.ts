/**
 * threads: worker threads that answer requests, started from built files, and how many threads there may be.
 *
 * In: the path of a worker program, messages; the limits of the environment. Out: replies, or the fault that ended the
 * thread; one number that every pool keeps within.
 * Never: the meaning of a request.
 */
export { type Budget, type BudgetSource, environmentFor, limitThreads, readBudget, threadBudget } from './budget.ts'
export { compiledSibling } from './compiled.ts'
export { type Reply, serveThread, type Stop } from './serve-thread.ts'
export { startThread, type Thread } from './thread.ts'
