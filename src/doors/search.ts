/**
 * The best checkpoint and layer under a budget: policies that choose what to score next, rewards, and searches replayed
 * over recorded scores.
 *
 * @module search
 */
export {
  type Aggregation,
  type Arm,
  type Ask,
  baselineOf,
  type Checkpoint,
  checkpointsOf,
  type Chooser,
  type FeaturesOf,
  type Grid,
  gridOf,
  policies,
  policiesNamed,
  type Policy,
  type PolicyName,
  type PolicyOptions,
  type Pull,
  readReplay,
  recordedMetrics,
  recordedScores,
  replay,
  type Replay,
  type ReplayOptions,
  rewardDefaults,
  type RewardOptions,
  rewardsOf,
  runSearch,
  type ScoredArm,
  type ScoreRow,
  type SearchOptions,
  type SearchReport,
} from '#experiment/search'
