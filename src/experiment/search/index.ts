/**
 * search: the best checkpoint × layer × recipe under a budget – policies, rewards, replays of recorded scores.
 *
 * In: arms, their metrics, scores as they arrive. Out: the next arm, and the reward of the best arm found.
 * Never: computing a score, opening a model except through `open`, console output.
 */
export { type Checkpoint, checkpointsOf } from './checkpoints.ts'
export { type Downloads, type DownloadsOptions, openDownloads } from './downloads.ts'
export { makeContext } from './features.ts'
export { type Grid, gridOf, type ScoredArm, type ScoreRow } from './grid.ts'
export { policies, type PolicyName, policiesNamed, policyNames } from './policies/index.ts'
export type { Arm, Ask, Chooser, Policy, PolicyOptions, Pull } from './policy.ts'
export { type FeaturesOf, recordedMetrics, recordedScores } from './recorded.ts'
export { taskContext, taskCorpus } from './task-context.ts'
export { type MetricColumn, metricColumns } from './metric-columns.ts'
export { readReplay } from './read-replay.ts'
export { type PolicyReplay, replay, type Replay, type ReplayOptions, rewardTable } from './replay.ts'
export {
  aggregated,
  type Aggregation,
  aggregations,
  baselineOf,
  rewardDefaults,
  type RewardKind,
  rewardKinds,
  type RewardOptions,
  rewardsOf,
} from './rewards.ts'
export { searchProgress } from './search-progress.ts'
export { type RecordedSearch, readSearch } from './search-state.ts'
export { isSearched, runSearch } from './run-search.ts'
export type { RatedPull, SearchOptions, SearchReport } from './search-options.ts'
export { parseVariations, variedMerges } from './varied-merges.ts'
