/**
 * Successive halving over tasks (Karnin, Koren & Somekh 2013, "Almost optimal exploration in multi-armed bandits"; Jamieson & Talwalkar 2016): all arms that the budget allows
 * on 4 tasks, the better half of them on 8, and so on; what is left has been asked everything. Tasks and arms come in a seeded order.
 */
import { defaultRng } from '#platform/random'
import type { Chooser, Policy } from '../policy.ts'

export const halving: Policy = {
  contextual: false,
  draws: true,
  spreads: true,
  start(arms, { tasks, budget, seed }): Chooser {
    const draw = defaultRng(seed)
    const order = Array.from(draw.permutation(tasks.length), (i) => tasks[i] ?? '')
    const rungs = rungsOf(order)
    const entered = Array.from(draw.permutation(arms.length)).slice(0, most(arms.length, rungs, budget * tasks.length))
    const rewards = arms.map((): Record<string, number> => ({}))
    const asked = arms.map(() => new Set<string>())
    let told = 0
    return async (pulls) => {
      // pulls are only added to: the earlier ones are known
      for (const { arm, tasks: some = tasks, rewards: own } of pulls.slice(told)) {
        Object.assign(rewards[arm] ?? {}, own)
        for (const task of some) asked[arm]?.add(task)
      }
      told = pulls.length
      let contenders: readonly number[] = entered
      for (const [rung, added] of rungs.entries()) {
        const next = contenders.find((arm) => asked[arm]?.has(added[0] ?? '') === false)
        if (next !== undefined) return { arm: next, tasks: added }
        const all = rungs.slice(0, rung + 1).flat()
        const means = new Map(contenders.map((arm) => [arm, meanOf(rewards[arm], all)]))
        contenders = [...contenders].sort((a, b) => (means.get(b) ?? 0) - (means.get(a) ?? 0) || a - b).slice(0, Math.ceil(contenders.length / 2))
      }
      return undefined
    }
  },
}

/** Of few tasks a quarter begins. */
const firstTasks = 4

/** What each rung adds: 4 tasks, 4, 8, 16, … */
function rungsOf(order: readonly string[]): string[][] {
  const rungs: string[][] = []
  const first = Math.max(1, Math.min(firstTasks, Math.floor(order.length / 4)))
  for (let from = 0, to = first; from < order.length; from = to, to *= 2) rungs.push(order.slice(from, to))
  return rungs
}

/** Arms that can enter so that the last rung is reached within so many scores of single tasks; one at least. */
function most(arms: number, rungs: readonly (readonly string[])[], scores: number): number {
  const cost = (entering: number): number =>
    rungs.reduce(({ sum, left }, { length }) => ({ sum: sum + left * length, left: Math.ceil(left / 2) }), { sum: 0, left: entering }).sum
  let entering = arms
  while (entering > 1 && cost(entering) > scores) entering--
  return entering
}

/** −∞ for an arm that failed on one of them. */
function meanOf(rewards: Readonly<Record<string, number>> | undefined, tasks: readonly string[]): number {
  return tasks.reduce((sum, task) => sum + (rewards?.[task] ?? -Infinity), 0) / tasks.length
}
