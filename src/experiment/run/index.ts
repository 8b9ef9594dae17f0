/**
 * run: experiment files – checked completely, planned as jobs, run by one process or many.
 *
 * In: experiment.yaml. Out: jobs; results in the ledger, in the same form as those of the single commands.
 * Never: a way of scoring or combining that the single commands lack.
 */
export { describeRuns } from './described-runs.ts'
export type { Shard } from './from-layersweep.ts'
export { jobName } from './job-name.ts'
export { type LanguageCost, languageCosts } from './language-costs.ts'
export { type LookedAgain, lookAgain } from './look-again.ts'
export { localeRuns, oneLocale, type StudyRuns } from './locale-runs.ts'
export { planExperiment, type ExperimentJob, type ExperimentPlan } from './plan-experiment.ts'
export { readExperiment, type Experiment } from './read-experiment.ts'
export {
  experimentCosts,
  readRecordedPlan,
  type RecordedPlan,
  recordExperiment,
  runExperiment,
  type RunExperimentOptions,
} from './run-experiment.ts'
