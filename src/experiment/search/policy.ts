/** The choice of the next arm: the seam between a search and its policies. */
import type { Reward } from './rewards.ts'

/** An arm to pull: one representation of one checkpoint. */
export interface Arm {
  /** Unique among the arms; also breaks ties in printed order. */
  readonly key: string
  /** Arms of one checkpoint share one encoding. */
  readonly checkpoint: string
  /** Metrics of the representation, one number each; absent where they are unknown. */
  readonly features?: readonly number[] | undefined
}

/** An arm, and the part of the tasks to score it on: all of every task unless a policy stops arms early. */
export interface Ask {
  /** Index of the arm. */
  readonly arm: number
  readonly tasks?: readonly string[] | undefined
  /** Share of each task's texts, below 1; absent: all. */
  readonly share?: number | undefined
}

/** The outcome of an ask. */
export interface Pull extends Ask {
  /** Absent where the arm failed, or was not scored on everything. */
  readonly reward?: number | undefined
  /**
   * Rewards of the tasks of this pull; empty where the arm failed. For a share, whose baseline is unknown, the scores
   * themselves.
   */
  readonly rewards: Reward
}

/** The cost of a pull: one arm on all of every task costs 1. */
export function toCost({ tasks, share = 1 }: Pick<Ask, 'tasks' | 'share'>, all: readonly string[]): number {
  return (share * (tasks ?? all).length) / all.length
}

export interface PolicyOptions {
  /** All tasks, in the order in which they are named. */
  readonly tasks: readonly string[]
  /** Maximum number of pulls. */
  readonly budget: number
  /** Weight of the uncertainty against the expected reward. */
  readonly alpha: number
  readonly seed: number
  /** Shares of every task's rows before the whole, increasing, for a policy that stops arms early. */
  readonly shares?: readonly number[] | undefined
  /** Current cost of an arm, in any unit, where gain is weighed against cost. */
  readonly costOf?: ((arm: number, pulls: readonly Pull[]) => number) | undefined
}

/**
 * The next ask after these pulls, or nothing where no arm is left. Pulls passed to one chooser only grow; a new chooser
 * that receives all of them at once asks the same, so that a search resumes from its pulls.
 */
export type Chooser = (pulls: readonly Pull[]) => Promise<Ask | undefined>

export interface Policy {
  /** Whether it looks at the features of arms. */
  readonly contextual: boolean
  /** Whether its choices depend on the seed. */
  readonly draws: boolean
  /** Whether it spreads its budget, so that a smaller budget is not a prefix of a larger one. */
  readonly spreads?: boolean | undefined
  readonly start: (arms: readonly Arm[], options: PolicyOptions) => Chooser
}

/** The unpulled arm with the highest value, the first among equals. An arm of value −∞ comes last. */
export function highest(values: ArrayLike<number>, pulls: readonly Pull[]): Ask | undefined {
  const pulled = new Set(pulls.map(({ arm }) => arm))
  let best: number | undefined
  for (let arm = 0; arm < values.length; arm++) {
    if (pulled.has(arm)) continue
    if (best === undefined || (values[arm] ?? -Infinity) > (values[best] ?? -Infinity)) best = arm
  }
  return best === undefined ? undefined : { arm: best }
}

/**
 * The unpulled arm with the largest gain per unit of cost: its value minus the best reward so far, over its cost. Where
 * no value exceeds the best reward, the values alone decide, as without costs.
 */
export function worthwhile(
  values: ArrayLike<number>,
  pulls: readonly Pull[],
  costOf: PolicyOptions['costOf'],
): Ask | undefined {
  const rewards = pulls.flatMap(({ reward }) => (reward === undefined ? [] : [reward]))
  if (costOf === undefined || rewards.length === 0) return highest(values, pulls)
  const best = rewards.reduce((most, reward) => Math.max(most, reward))
  const pulled = new Set(pulls.map(({ arm }) => arm))
  const gains = Array.from(values, (value, arm) =>
    pulled.has(arm) || !(value > best) ? -Infinity : (value - best) / costOf(arm, pulls),
  )
  return gains.some((gain) => gain > -Infinity) ? highest(gains, pulls) : highest(values, pulls)
}
