/** Options of a search, and its answer. */
import type { CallOptions } from '#core'
import type { SweepOptions } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import type { Checkpoint } from './checkpoints.ts'
import type { PolicyName } from './policies/index.ts'
import type { FeaturesOf } from './recorded.ts'
import type { Aggregation, RewardOptions } from './rewards.ts'
import type { SearchPull } from './search-state.ts'

export interface SearchContext {
  readonly name: string
  readonly load: () => Promise<KnownContext>
}

export interface KnownContext {
  readonly featuresOf: FeaturesOf
  /** That it took. */
  readonly seconds: number
}

export interface SearchOptions extends CallOptions {
  readonly policy: PolicyName
  /** In arms scored on all tasks, including the baseline's layers. */
  readonly budget: number
  /** Shares of each task's texts before the whole: increasing, each above 0 and below 1. */
  readonly shares?: readonly number[] | undefined
  /** Wall clock of the pulls, over all runs of the search. */
  readonly budgetSeconds?: number | undefined
  readonly alpha: number
  readonly seed: number
  readonly reward: RewardOptions
  readonly aggregation: Aggregation
  /** Default: the last checkpoint. */
  readonly baseline?: string | undefined
  readonly costAware: boolean
  /** As in `--layers`, along with further representations by name. */
  readonly layers: string
  readonly representations?: readonly string[] | undefined
  /** Means of N neighbouring layers are arms too. */
  readonly neighbours?: readonly number[] | undefined
  /** Metrics of the arms. They may take long, so the search loads them only when nothing else keeps it from starting. */
  readonly context?: SearchContext | undefined
  /** Without representations: the search names them. */
  readonly sweep: Omit<SweepOptions, 'representations'>
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  /** Receives, when a checkpoint is opened, the one that is likely to be next. */
  readonly ahead?: ((checkpoint: Checkpoint) => void) | undefined
  /** File for hashes of weights: whether checkpoints are those of an earlier run is seen without reading them. */
  readonly hashes?: string | undefined
  /** Folder of the search. */
  readonly folder: string
  /** Hears why kept pulls are made again, and how many. */
  readonly onStale?: ((stale: { readonly what: string; readonly dropped: number }) => void) | undefined
  readonly onPull?: ((pull: RatedPull) => void) | undefined
}

export interface RatedPull extends SearchPull {
  /** Null until the baseline is scored, where the arm failed, and where it was not scored on everything. */
  readonly reward: number | null
}

export interface SearchReport {
  readonly arms: number
  readonly tasks: readonly string[]
  readonly policy: PolicyName
  readonly budget: number
  readonly spent: number
  readonly seconds: number
  /** `without`: arms without a context; policies that use it pull them last. */
  readonly context: { readonly name: string; readonly seconds: number; readonly without: number } | null
  readonly failed: number
  /** By reward, best first. */
  readonly best: readonly RatedPull[]
  /** Best of the baseline's arms. */
  readonly baseline: { readonly checkpoint: string; readonly arm: string; readonly reward: number } | null
  /** Bound of every reward, on either side; null where there is none. */
  readonly clip: number | null
  /** Pulls of the baseline that are still to come: without them no reward is known. */
  readonly unmeasured: number
  /** Why the search ended. */
  readonly ended: 'budget' | 'seconds' | 'no arm left'
}
