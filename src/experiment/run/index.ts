/**
 * run: experiment files – checked whole, planned as jobs, run by one process or many.
 *
 * In: experiment.yaml. Out: jobs; results in the ledger, as the single commands write them.
 * Never: a way to score or to combine that the single commands do not have.
 */
export type { Shard } from './from-layersweep.ts'
export { type LookedAgain, lookAgain } from './look-again.ts'
export { planStudy, type StudyJob, type StudyPlan } from './plan-experiment.ts'
export { readStudy, type Study } from './read-experiment.ts'
export { recordStudy, runStudy, type RunStudyOptions, studyCosts } from './run-experiment.ts'
