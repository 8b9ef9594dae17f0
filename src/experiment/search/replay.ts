/**
 * Policies over arms whose scores are all known: the distance of each from the best arm after a given number of pulls.
 */
import { type CallOptions, fault, mean, quantile, suggestion } from '#core'
import type { Grid } from './grid.ts'
import { policies, type PolicyName } from './policies/index.ts'
import type { Pull } from './policy.ts'
import { aggregated, type Aggregation, type Baseline, baselineOf, type RewardOptions, rewardsOf } from './rewards.ts'

export interface ReplayOptions extends CallOptions {
  readonly policies: readonly PolicyName[]
  /** In pulls; with `checkpointCost`, in units of the cost of scoring one arm. */
  readonly budgets: readonly number[]
  /** Number of runs of a policy that draws. */
  readonly seeds: number
  readonly alpha: number
  readonly reward: RewardOptions
  readonly aggregation: Aggregation
  /** Checkpoint whose layers rewards are measured against. */
  readonly baseline?: string | undefined
  /** Extra cost of a checkpoint's first arm, in units of the cost of its scores. Policies weigh gain against it. */
  readonly checkpointCost?: number | undefined
}

/** The state after a budget, over the seeds. */
export interface RegretPoint {
  readonly budget: number
  /** Best reward of all arms minus that of the best one found. */
  readonly regret: number
  /** 5th and 95th percentile. */
  readonly low: number
  readonly high: number
  /** Rank of the best one found among all arms, from 1: the median over seeds. */
  readonly rank: number
  /** The arm found most often, and the share of runs that found it. */
  readonly best: string
  readonly share: number
}

export interface PolicyReplay {
  readonly policy: PolicyName
  readonly runs: number
  readonly points: readonly RegretPoint[]
  /**
   * Mean regret and its band after every whole unit of budget up to the last; only at the budgets themselves where a
   * policy spreads its budget.
   */
  readonly curve: readonly {
    readonly budget: number
    readonly regret: number
    readonly low: number
    readonly high: number
  }[]
}

export interface Replay {
  readonly arms: number
  readonly tasks: number
  readonly best: { readonly arm: string; readonly reward: number }
  /** Tasks whose baseline hardly differs between layers. */
  readonly narrow: readonly string[]
  readonly replays: readonly PolicyReplay[]
}

/** Rewards of all arms by task, and combined into one number each. */
export function rewardTable(
  { arms, tasks }: Grid,
  { reward, aggregation, baseline }: Pick<ReplayOptions, 'reward' | 'aggregation' | 'baseline'>,
): { rewards: Readonly<Record<string, number>>[]; totals: number[]; measure: ReadonlyMap<string, Baseline> } {
  const checkpoints = [...new Set(arms.map(({ checkpoint }) => checkpoint))]
  const named = baseline ?? checkpoints.at(-1) ?? ''
  if (!checkpoints.includes(named))
    throw fault('usage.value', {
      place: '--baseline',
      what: 'no such checkpoint',
      seen: named,
      wanted: checkpoints.join(', '),
      hint: suggestion(named, checkpoints),
    })
  const measure = baselineOf(
    new Map(arms.filter(({ checkpoint }) => checkpoint === named).map(({ layer, scores }) => [layer, scores])),
    tasks,
  )
  const rewards = arms.map(({ scores, layer }) =>
    rewardsOf(Object.fromEntries(tasks.map((task) => [task, scores[task] ?? Number.NaN])), layer, measure, reward),
  )
  return { rewards, totals: rewards.map((one) => aggregated(one, tasks, aggregation)), measure }
}

/**
 * Replays policies over recorded scores: the regret of each, the distance between the best arm it has found and the
 * best one there is, after each budget, as a mean over `seeds` runs with the 5th and 95th percentile. Throws
 * `usage.value` for a baseline that is not a checkpoint, `usage.conflict` for a policy that looks at features where no
 * arm has any.
 *
 * @example
 * ```ts
 * import { gridOf, replay, rewardDefaults } from 'strata-lm/search'
 *
 * const rows = [0.5, 0.6, 0.8, 0.7].map((score, h) => ({ checkpoint: 'step1', layer: `h${h}`, task: 'STS17', score }))
 * const { best, replays } = await replay(gridOf(rows, { place: 'example' }), {
 *   policies: ['sweep'],
 *   budgets: [1, 4],
 *   seeds: 1,
 *   alpha: 1,
 *   reward: { ...rewardDefaults, kind: 'raw' },
 *   aggregation: 'mean',
 * })
 * console.log(best.arm) // → step1 h2
 * for (const { budget, regret } of replays[0]?.points ?? []) console.log(budget, regret.toFixed(1))
 * // → 1 0.3
 * // → 4 0.0
 * ```
 */
export async function replay(
  grid: Grid,
  { policies: names, seeds, signal, onProgress, ...options }: ReplayOptions,
): Promise<Replay> {
  const { rewards, totals, measure } = rewardTable(grid, options)
  const best = totals.reduce((most, total, arm) => (total > (totals[most] ?? -Infinity) ? arm : most), 0)
  const largest = Math.max(...options.budgets)
  const replays: PolicyReplay[] = []
  for (const name of names) {
    const { contextual, draws, spreads = false } = policies[name]
    if (contextual && !grid.arms.some(({ features }) => features !== undefined))
      throw fault('usage.conflict', {
        place: '--policy',
        what: `${name} needs metrics of the arms, and no arm has any`,
        hint: '--context metrics.jsonl',
      })
    const runs: { seed: number; budget: number; trace: Trace }[] = []
    const count = draws ? seeds : 1
    for (let seed = 0; seed < count; seed++) {
      for (const budget of spreads ? options.budgets : [largest]) {
        signal?.throwIfAborted()
        runs.push({ seed, budget, trace: await traced(grid, { name, seed, budget, rewards, totals, options }) })
      }
      onProgress?.({ stage: 'replay', unit: 'runs', done: seed + 1, total: count })
    }
    const at = (budget: number): number[] =>
      runs.filter((run) => !spreads || run.budget === budget).map(({ trace }) => foundBy(trace, budget))
    const regretOf = (arm: number): number => (arm < 0 ? Infinity : (totals[best] ?? 0) - (totals[arm] ?? 0))
    const summary = (budget: number): { budget: number; regret: number; low: number; high: number } => {
      const regrets = at(budget).map(regretOf)
      const sorted = regrets.toSorted((a, b) => a - b)
      return {
        budget,
        regret: mean(regrets),
        low: quantile(sorted, 0.05),
        high: quantile(sorted, 0.95),
      }
    }
    replays.push({
      policy: name,
      runs: count,
      points: options.budgets.map((budget) => {
        const found = at(budget)
        const ranks = found.map((arm) =>
          arm < 0 ? totals.length : 1 + totals.filter((total) => total > (totals[arm] ?? 0)).length,
        )
        const { arm, share } = commonest(found)
        return { ...summary(budget), rank: quantile(ranks, 0.5), best: grid.arms[arm]?.key ?? 'none', share }
      }),
      curve: (spreads ? options.budgets : Array.from({ length: largest }, (_, i) => i + 1))
        .map(summary)
        .filter(({ regret }) => Number.isFinite(regret)),
    })
  }
  return {
    arms: grid.arms.length,
    tasks: grid.tasks.length,
    best: { arm: grid.arms[best]?.key ?? '', reward: totals[best] ?? Number.NaN },
    narrow: grid.tasks.filter((task) => measure.get(task)?.narrow === true),
    replays,
  }
}

/** The best arm so far after each pull, with the budget spent by then. */
type Trace = readonly { readonly spent: number; readonly best: number }[]

interface Run {
  readonly name: PolicyName
  readonly seed: number
  readonly budget: number
  readonly rewards: readonly Readonly<Record<string, number>>[]
  readonly totals: readonly number[]
  readonly options: Omit<ReplayOptions, 'policies' | 'seeds'>
}

async function traced(
  { arms, tasks }: Grid,
  { name, seed, budget, rewards, totals, options: { alpha, checkpointCost } }: Run,
): Promise<Trace> {
  const costOf = (arm: number, pulls: readonly Pull[]): number =>
    1 + (pulls.some((pull) => arms[pull.arm]?.checkpoint === arms[arm]?.checkpoint) ? 0 : (checkpointCost ?? 0))
  const next = policies[name].start(arms, {
    tasks,
    budget,
    alpha,
    seed,
    costOf: checkpointCost === undefined ? undefined : costOf,
  })
  const pulls: Pull[] = []
  const told = new Map<number, Set<string>>()
  const trace: { spent: number; best: number }[] = []
  let [spent, best] = [0, -1]
  for (;;) {
    const ask = await next(pulls)
    if (ask === undefined) break
    const { arm, tasks: asked = tasks } = ask
    const known = told.get(arm) ?? new Set()
    const cost = costOf(arm, pulls) - 1 + asked.filter((task) => !known.has(task)).length / tasks.length
    // three times a third of a pull is one pull
    if (spent + cost > budget + 1e-9) break
    spent += cost
    for (const task of asked) known.add(task)
    told.set(arm, known)
    const whole = known.size === tasks.length
    pulls.push({
      arm,
      tasks: asked,
      rewards: Object.fromEntries(asked.map((task) => [task, rewards[arm]?.[task] ?? Number.NaN])),
      ...(whole ? { reward: totals[arm] } : {}),
    })
    if (whole && (best < 0 || (totals[arm] ?? 0) > (totals[best] ?? 0))) best = arm
    trace.push({ spent, best })
  }
  return trace
}

/** −1 where no arm was known on all tasks by then. */
function foundBy(trace: Trace, budget: number): number {
  return trace.findLast(({ spent }) => spent <= budget + 1e-9)?.best ?? -1
}

function commonest(arms: readonly number[]): { arm: number; share: number } {
  const counts = new Map<number, number>()
  for (const arm of arms) counts.set(arm, (counts.get(arm) ?? 0) + 1)
  const [arm, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [-1, 0])
  return { arm, share: count / arms.length }
}
