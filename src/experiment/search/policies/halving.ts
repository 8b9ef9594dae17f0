/**
 * Successive halving (Karnin, Koren & Somekh 2013, "Almost optimal exploration in multi-armed bandits"; Jamieson &
 * Talwalkar 2016). Over tasks: all arms that the budget allows on 4 tasks, the better half of them on 8, and so on; the
 * remaining arms are scored on everything. Over texts: every task from the first rung on, but only a share of its rows.
 * Tasks and arms come in a seeded order.
 */
import { mean, populationDeviation } from '#core'
import { defaultRng } from '#platform/random'
import { type Chooser, toCost, type Policy } from '../policy.ts'
import type { Scores } from '../rewards.ts'

export const halving: Policy = {
  contextual: false,
  draws: true,
  spreads: true,
  start(arms, { tasks, budget, seed, shares = [] }): Chooser {
    const draw = defaultRng(seed)
    const order = Array.from(draw.permutation(tasks.length), (i) => tasks[i] ?? '')
    const rungs =
      shares.length === 0 ? rungsOf(order) : [...shares.map((share) => ({ tasks: order, share })), { tasks: order }]
    const entered = Array.from(draw.permutation(arms.length)).slice(0, most(arms.length, rungs, budget, tasks))
    const rewards = arms.map((): Record<string, number> => ({}))
    const asked = arms.map(() => new Set<string>())
    const partly = new Map(shares.map((share) => [share, new Map<number, Scores>()]))
    const isAsked = (arm: number, { tasks: [first = ''], share }: Rung): boolean =>
      share === undefined ? asked[arm]?.has(first) === true : partly.get(share)?.has(arm) === true
    let told = 0
    return async (pulls) => {
      // pulls are only appended: the earlier ones are known
      for (const { arm, tasks: some = tasks, rewards: own, share } of pulls.slice(told)) {
        if (share !== undefined) partly.get(share)?.set(arm, own)
        else {
          Object.assign(rewards[arm] ?? {}, own)
          for (const task of some) asked[arm]?.add(task)
        }
      }
      told = pulls.length
      let contenders: readonly number[] = entered
      for (const [at, rung] of rungs.entries()) {
        const next = contenders.find((arm) => !isAsked(arm, rung))
        if (next !== undefined) return { arm: next, ...rung }
        const scores = rung.share === undefined ? undefined : partly.get(rung.share)
        const seen = rungs.slice(0, at + 1).flatMap((one) => one.tasks)
        const worth =
          scores === undefined
            ? new Map(contenders.map((arm) => [arm, meanOf(rewards[arm], seen)]))
            : deviationsOf(scores, contenders, tasks)
        contenders = [...contenders]
          .sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0) || a - b)
          .slice(0, Math.ceil(contenders.length / 2))
      }
      return undefined
    }
  },
}

interface Rung {
  /** Tasks that the rung adds. */
  readonly tasks: readonly string[]
  /** Share of their rows; absent: all. */
  readonly share?: number | undefined
}

/** With few tasks, a quarter of them begins. */
const firstTasks = 4

/** Tasks that each rung adds: 4, 4, 8, 16, … */
function rungsOf(order: readonly string[]): Rung[] {
  const rungs: Rung[] = []
  const first = Math.max(1, Math.min(firstTasks, Math.floor(order.length / 4)))
  for (let from = 0, to = first; from < order.length; from = to, to *= 2) rungs.push({ tasks: order.slice(from, to) })
  return rungs
}

/** Number of arms that can enter so that the last rung is reached within the budget; at least one. */
function most(arms: number, rungs: readonly Rung[], budget: number, tasks: readonly string[]): number {
  const cost = (entering: number): number =>
    rungs.reduce(({ sum, left }, rung) => ({ sum: sum + left * toCost(rung, tasks), left: Math.ceil(left / 2) }), {
      sum: 0,
      left: entering,
    }).sum
  let entering = arms
  while (entering > 1 && cost(entering) > budget + 1e-9) entering--
  return entering
}

/** −∞ for an arm that failed on one of them. */
function meanOf(rewards: Readonly<Record<string, number>> | undefined, tasks: readonly string[]): number {
  return mean(tasks.map((task) => rewards?.[task] ?? -Infinity))
}

/**
 * Mean over tasks of the score's distance from the contenders' mean, in their standard deviations: a share has no
 * baseline to compare with, and the task with the widest spread must not decide alone. −∞ for an arm that failed.
 */
function deviationsOf(
  scores: ReadonlyMap<number, Scores>,
  contenders: readonly number[],
  tasks: readonly string[],
): Map<number, number> {
  const sums = new Map(contenders.map((arm) => [arm, 0]))
  for (const task of tasks) {
    const own = contenders.map((arm) => scores.get(arm)?.[task] ?? -Infinity)
    const finite = own.filter((score) => Number.isFinite(score))
    const [middle, deviation] = finite.length === 0 ? [0, 0] : [mean(finite), populationDeviation(finite)]
    contenders.forEach((arm, i) =>
      sums.set(arm, (sums.get(arm) ?? 0) + ((own[i] ?? -Infinity) - middle) / (deviation || 1)),
    )
  }
  return sums
}
