/**
 * workers: many processes on one folder – each job is claimed by one, and the jobs of a dead one are claimed again.
 *
 * In: jobs by name and cost, a function that runs one. Out: markers of finished jobs, events, progress.
 * Never: a model, a task, the meaning of a job.
 */
export type { Finished, Job, Outcome } from './job.ts'
export { claimedIds as claimedJobs, doneJobs, finishedIds as finishedJobs } from './job-files.ts'
export { forgetFailed, forgetJobs, type WorkEvent } from './job-files.ts'
export { startWorkers, type StartOptions, type WorkerExit } from './processes.ts'
export { cancel, queue, type Queued, submit, submitted, type Submitted } from './slurm.ts'
export { type ScriptOptions, type SlurmOptions, slurmScript, walltime, workersFor } from './slurm-script.ts'
export { progressText, status, type WorkStatus } from './status.ts'
export { work, type WorkOptions, type WorkSummary } from './work.ts'
