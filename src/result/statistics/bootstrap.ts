/** Is a difference more than chance? Paired bootstrap over items: both models are scored on the same resamples (decisions: significance). */
import { randomState } from '#platform/random'
import type { Statistic } from './item-statistics.ts'

export interface PairedPart {
  readonly items: number
  readonly ours: Statistic
  readonly theirs: Statistic
}

export interface Interval {
  /** Of the difference ours − theirs, 95 %. */
  readonly low: number
  readonly high: number
  /** Two-sided: twice the smaller share of resamples on one side of zero. */
  readonly p: number
  readonly draws: number
}

/** Items drawn over all resamples at most; above it there are fewer resamples, and the interval says how many. */
const mostDrawn = 400_000_000

/** Interval of the mean difference over the parts; parts are resampled one by one. Undefined when a statistic is undefined on too many resamples. */
export function pairedBootstrap(
  parts: readonly PairedPart[],
  { draws: asked = 10_000, seed = 42 }: { draws?: number | undefined; seed?: number | undefined } = {},
): Interval | undefined {
  const size = parts.reduce((sum, { items }) => sum + items, 0)
  if (size === 0) return undefined
  const draws = Math.max(1000, Math.min(asked, Math.floor(mostDrawn / size)))
  const random = randomState(seed)
  const differences: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const { items, ours, theirs } of parts) {
      const counts = new Uint16Array(items)
      for (let k = 0; k < items; k++) {
        const at = Math.floor((random.word() / 2 ** 32) * items)
        counts[at] = (counts[at] ?? 0) + 1
      }
      sum += ours(counts) - theirs(counts)
    }
    const difference = sum / parts.length
    if (Number.isFinite(difference)) differences.push(difference)
  }
  if (differences.length < 0.99 * draws) return undefined
  differences.sort((a, b) => a - b)
  const [below, above] = [differences.filter((value) => value <= 0).length, differences.filter((value) => value >= 0).length]
  return {
    low: percentile(differences, 0.025),
    high: percentile(differences, 0.975),
    p: Math.min(1, (2 * Math.min(below, above)) / differences.length),
    draws: differences.length,
  }
}

/** Linear between the two nearest, as numpy's default. */
function percentile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}
