/** Rewards of pulls once the baseline is scored, and their costs. */
import { fault } from '#core'
import type { LiveArm } from './live-arms.ts'
import { toCost } from './policy.ts'
import { aggregated, type Aggregation, baselineOf, type RewardOptions, rewardsOf, type Scores } from './rewards.ts'
import type { KnownContext, RatedPull } from './search-options.ts'
import type { SearchPull } from './search-state.ts'

interface RatedBy {
  readonly arms: readonly LiveArm[]
  /** Arms of the baseline. */
  readonly own: readonly LiveArm[]
  readonly tasks: readonly string[]
  readonly reward: RewardOptions
  readonly aggregation: Aggregation
}

/** A pull with the reward of each task. */
export type WorthPull = RatedPull & { readonly rewards: Scores }

/** Pulls with their rewards, as soon as the baseline is scored. */
export function ratedBy({
  arms,
  own,
  tasks,
  reward,
  aggregation,
}: RatedBy): (pulls: readonly SearchPull[]) => WorthPull[] {
  return (pulls) => {
    const complete = reward.kind === 'raw' || own.every(({ key }) => pulls.some(({ arm }) => arm === key))
    const layers = pulls.filter(
      ({ failed, arm, share }) => failed === undefined && share === undefined && own.some(({ key }) => key === arm),
    )
    const scored = new Map(
      layers
        .filter(({ scores }) => tasks.every((task) => scores[task] !== undefined))
        .map(({ layer, scores }) => [layer, scores]),
    )
    if (complete && reward.kind !== 'raw' && scored.size === 0)
      throw fault('usage.conflict', {
        place: '--baseline',
        what: 'every layer of the baseline failed, so there are no rewards',
        seen: layers[0]?.failed ?? pulls.find(({ failed }) => failed !== undefined)?.failed,
      })
    const measure = complete && reward.kind !== 'raw' ? baselineOf(scored, tasks) : new Map()
    const known = new Map<string, Scores>()
    return pulls.map((pull) => {
      if (!complete || pull.failed !== undefined) return { ...pull, rewards: {}, reward: null }
      if (pull.share !== undefined) return { ...pull, rewards: pull.scores, reward: null }
      const layer = arms.find(({ key }) => key === pull.arm)?.layer ?? pull.layer
      const rewards = rewardsOf(pull.scores, layer, measure, reward)
      const all = { ...known.get(pull.arm), ...rewards }
      known.set(pull.arm, all)
      const whole = tasks.every((task) => all[task] !== undefined)
      return { ...pull, rewards, reward: whole ? aggregated(all, tasks, aggregation) : null }
    })
  }
}

type Spent = Pick<KnownContext, 'seconds'>

export function spentOn(pulls: readonly SearchPull[], tasks: readonly string[]): number {
  return pulls.reduce((sum, pull) => sum + toCost(pull, tasks), 0)
}

export function totalSeconds(pulls: readonly SearchPull[], context: Spent | undefined): number {
  return pulls.reduce((sum, { seconds }) => sum + seconds, context?.seconds ?? 0)
}

export interface SearchSummary {
  readonly pulls: number
  readonly spent: number
  readonly seconds: number
  readonly best: { readonly arm: string; readonly reward: number | null } | null
  /** Rewards of the tasks that have one. */
  readonly rewards: Readonly<Record<string, number>>
}

export function summarise(
  pulls: readonly RatedPull[],
  { tasks, context }: { tasks: readonly string[]; context: Spent | undefined },
): SearchSummary {
  const best = pulls.reduce<RatedPull | undefined>(
    (most, pull) => (pull.reward !== null && (most?.reward ?? -Infinity) < pull.reward ? pull : most),
    undefined,
  )
  return {
    pulls: pulls.length,
    spent: spentOn(pulls, tasks),
    seconds: totalSeconds(pulls, context),
    best: best === undefined ? null : { arm: best.arm, reward: best.reward },
    rewards: Object.fromEntries(pulls.flatMap(({ arm, reward }) => (reward === null ? [] : [[arm, reward]]))),
  }
}
