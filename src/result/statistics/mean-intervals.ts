/** Means over several tasks, with their intervals: each task's items are resampled on their own. */
import { quantile } from '#core'
import { type Interval, makeInterval } from './bootstrap.ts'
import { drawTask, type Side } from './compare.ts'

export interface MeanInterval {
  /** 95 % interval of the mean over the tasks. */
  readonly low: number
  readonly high: number
  /** That of the difference to the baseline on the same resamples; undefined for the baseline itself. */
  readonly difference?: Interval | undefined
}

export interface TaskSides {
  readonly task: string
  /** The same names for every task. */
  readonly sides: ReadonlyMap<string, Side>
}

/**
 * By name; or the task without single items to resample, and why. `against`: the name of the baseline. Reads the items
 * of all sides.
 */
export async function meansOverTasks(
  tasks: readonly TaskSides[],
  { against, draws = 1000, seed = 42 }: { against: string; draws?: number; seed?: number },
): Promise<ReadonlyMap<string, MeanInterval> | string> {
  const sums = new Map<string, Float64Array>()
  let items = 0
  for (const [at, { task, sides }] of tasks.entries()) {
    // tasks are independent of each other, and so are their resamples
    const drawn = await drawTask(task, sides, { draws, seed: seed + at })
    if (typeof drawn === 'string') return `${task}: ${drawn}`
    items += drawn.items
    for (const [name, scores] of drawn.draws) {
      const sum = sums.get(name) ?? new Float64Array(draws)
      sums.set(
        name,
        sum.map((value, draw) => value + (scores[draw] ?? NaN) / tasks.length),
      )
    }
  }
  const baseline = sums.get(against)
  return new Map(
    Array.from(sums, ([name, means]) => {
      const sorted = [...means].filter(Number.isFinite).sort((a, b) => a - b)
      const difference = baseline === undefined || name === against ? undefined : makeInterval(means, baseline, items)
      return [name, { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975), difference }]
    }),
  )
}
