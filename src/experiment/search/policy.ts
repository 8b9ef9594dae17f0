/** What chooses the next arm: the seam between a search and the ways to search. */
import type { Reward } from './rewards.ts'

/** What may be pulled: one representation of one checkpoint. */
export interface Arm {
  /** Unique among the arms, and what ties are told apart by in print. */
  readonly key: string
  /** Arms of one checkpoint share one encoding. */
  readonly checkpoint: string
  /** Metrics of the representation, one number each; absent where they are not known. */
  readonly features?: readonly number[] | undefined
}

/** An arm, and what it is to be scored on: all of every task unless a policy stops arms early. */
export interface Ask {
  /** Index of the arm. */
  readonly arm: number
  readonly tasks?: readonly string[] | undefined
  /** Of what each task asks, below 1; absent: all. */
  readonly share?: number | undefined
}

/** What came of it. */
export interface Pull extends Ask {
  /** Absent where the arm failed, or was not asked everything. */
  readonly reward?: number | undefined
  /**
   * Of the tasks asked here; empty where the arm failed. Of a share, whose baseline nobody knows, the scores
   * themselves.
   */
  readonly rewards: Reward
}

/** What a pull is charged: one arm on all of every task is 1. */
export function costOf({ tasks, share = 1 }: Pick<Ask, 'tasks' | 'share'>, all: readonly string[]): number {
  return (share * (tasks ?? all).length) / all.length
}

export interface PolicyOptions {
  /** All tasks, in the order in which they are named. */
  readonly tasks: readonly string[]
  /** Pulls there will be at most. */
  readonly budget: number
  /** How much what is not known counts against what is. */
  readonly alpha: number
  readonly seed: number
  /** Shares of every task's rows before the whole, growing, for a policy that stops arms early. */
  readonly shares?: readonly number[] | undefined
  /** What an arm would cost now, in any unit, where gain is to be weighed against it. */
  readonly costOf?: ((arm: number, pulls: readonly Pull[]) => number) | undefined
}

/**
 * The next ask after these pulls, or nothing where none is left. Of one chooser the pulls only grow; a new one that is
 * given them all at once asks the same, so that a search is resumed from its pulls.
 */
export type Chooser = (pulls: readonly Pull[]) => Promise<Ask | undefined>

export interface Policy {
  /** Whether it looks at the features of arms. */
  readonly contextual: boolean
  /** Whether another seed may choose otherwise. */
  readonly draws: boolean
  /** Whether it spreads its budget, so that less of it is not the beginning of more. */
  readonly spreads?: boolean | undefined
  readonly start: (arms: readonly Arm[], options: PolicyOptions) => Chooser
}

/** The unpulled arm of the highest value; of equal ones the first. An arm of value −∞ comes last. */
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
 * The unpulled arm that promises the most a unit of cost: what its value lies above the best reward so far, over what
 * it would cost. Where none lies above, the values by themselves decide, as they do without costs.
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
