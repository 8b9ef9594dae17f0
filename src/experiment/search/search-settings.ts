/** All settings that move which arm is pulled: a folder's pulls belong to a search with equal settings. */
import { fingerprint } from '#core'
import type { Model } from '#model/checkpoint'
import type { Checkpoint } from './checkpoints.ts'
import type { LiveArm } from './live-arms.ts'
import { policies } from './policies/index.ts'
import type { SearchOptions } from './search-options.ts'
import type { SearchSettings } from './search-state.ts'

/** How every checkpoint is read. Whether they are the same checkpoints is seen pull by pull. */
export function readingKey({ settings, prompts }: Model): string {
  return fingerprint({ settings, prompts })
}

/** The metrics by which a policy chooses, whatever the context is called. */
export function featuresKey(arms: readonly LiveArm[]): string {
  return fingerprint({ features: arms.map(({ key, features }) => [key, features ?? null]) })
}

export function toSettings(
  checkpoints: readonly Checkpoint[],
  baseline: Checkpoint,
  tasks: readonly string[],
  options: SearchOptions,
): SearchSettings {
  const {
    policy,
    alpha,
    seed,
    reward,
    aggregation,
    costAware,
    layers,
    neighbours,
    representations = [],
    context,
    budget,
    shares,
    sweep,
  } = options
  return {
    checkpoints: checkpoints.map(({ name }) => name),
    references: checkpoints.map(({ reference }) => reference),
    layers,
    representations,
    ...(neighbours === undefined ? {} : { means: neighbours }),
    tasks,
    splits: sweep.splits ?? null,
    subsets: sweep.subsets ?? null,
    languages: sweep.languages ?? null,
    profile: sweep.profile ?? null,
    ...(sweep.kmeans === undefined ? {} : { kmeans: sweep.kmeans }),
    policy,
    // less of such a budget is not a prefix of more
    ...(policies[policy].spreads === true ? { budget } : {}),
    ...(shares === undefined ? {} : { limit: shares }),
    alpha,
    seed,
    reward: reward.kind,
    clip: Number.isFinite(reward.clip) ? reward.clip : null,
    floor: reward.floor,
    aggregation,
    baseline: reward.kind === 'raw' ? null : baseline.name,
    cost: costAware ? 'aware' : 'plain',
    context: context?.name ?? null,
  }
}
