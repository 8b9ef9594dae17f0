/**
 * workers: many processes, one folder – each job claimed by one, what a dead one held taken up again.
 *
 * In: jobs by name and cost, what does one. Out: markers of finished jobs, events, how far it is.
 * Never: a model, a task, what a job means.
 */
export type { Finished, Job, Outcome } from './job.ts'
export { claimedIds as claimedJobs, doneJobs, finishedIds as finishedJobs } from './job-files.ts'
export { forgetFailed, forgetJobs, type WorkEvent } from './job-files.ts'
export { startWorkers, type StartOptions, type WorkerExit } from './processes.ts'
export { cancel, queue, type Queued, submit, submitted, type Submitted } from './slurm.ts'
export { type ScriptOptions, type SlurmOptions, slurmScript, walltime, workersFor } from './slurm-script.ts'
export { status, type WorkStatus } from './status.ts'
export { work, type WorkOptions, type WorkSummary } from './work.ts'
