/**
 * search: the best checkpoint × layer × recipe under a budget – policies, rewards, recorded scores replayed.
 *
 * In: arms, what is known of them, scores as they come. Out: which arm next, and how good the one found is.
 * Never: a score computed, a model opened otherwise than by `open`, a word on the console.
 */
export { type Checkpoint, checkpointsOf } from './checkpoints.ts'
export { type Downloads, type DownloadsOptions, openDownloads } from './downloads.ts'
export { contextOf } from './features.ts'
export { type Grid, gridOf, type ScoredArm, type ScoreRow } from './grid.ts'
export { policies, type PolicyName, policiesNamed, policyNames } from './policies/index.ts'
export type { Arm, Ask, Chooser, Policy, PolicyOptions, Pull } from './policy.ts'
export { type FeaturesOf, recordedMetrics, recordedScores } from './recorded.ts'
export { liveContext } from './live-context.ts'
export { type MetricColumn, metricColumns } from './metric-columns.ts'
export { readReplay } from './read-replay.ts'
export { type PolicyReplay, replay, type Replay, type ReplayOptions, rewardTable } from './replay.ts'
export {
  aggregated,
  type Aggregation,
  baselineOf,
  rewardDefaults,
  type RewardKind,
  type RewardOptions,
  rewardsOf,
} from './rewards.ts'
export { type KeptSearch, readSearch } from './search-state.ts'
export { runSearch } from './run-search.ts'
export type { RatedPull, SearchOptions, SearchReport } from './search-options.ts'
export { variationsOf, variedMerges } from './varied-merges.ts'
