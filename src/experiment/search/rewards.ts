/** From scores to the objective of a search: rewards per task, and one number per arm. */
import { fault, mean, populationDeviation } from '#core'

/** Per task, by its name. */
export type Scores = Readonly<Record<string, number>>
export type Reward = Scores

/**
 * `z`: the score's distance above the mean of the baseline's layers, in their standard deviations. `same-layer`: above
 * the baseline's same layer, in those deviations. `raw`: the score itself.
 */
export const rewardKinds = ['z', 'same-layer', 'raw'] as const
export type RewardKind = (typeof rewardKinds)[number]
export const aggregations = ['mean', 'median', 'trimmed', 'harmonic'] as const
export type Aggregation = (typeof aggregations)[number]

export interface RewardOptions {
  readonly kind: RewardKind
  /**
   * Limit of all rewards except raw ones: beyond ±clip they count as ±clip, because a task whose baseline hardly
   * differs between layers would outweigh the others.
   */
  readonly clip: number
  /** A smaller standard deviation counts as this much. */
  readonly floor: number
}

export const rewardDefaults: RewardOptions = { kind: 'z', clip: 3, floor: 0 }

/** The baseline of a task's reward. */
export interface Baseline {
  readonly mean: number
  /** Standard deviation of the layers, ddof 0. */
  readonly deviation: number
  /** Whether the deviation is smaller than the report considers trustworthy. */
  readonly narrow: boolean
  /** Scores by layer, for `same-layer`. */
  readonly byLayer: ReadonlyMap<string, number>
}

/** Below this, the layers of a baseline differ by less than most tasks repeat to. */
const narrowBelow = 0.005
/** A smaller deviation counts as zero: then the plain difference is the reward. */
const least = 1e-10

/**
 * The baseline of rewards: mean and standard deviation of the scores of the baseline checkpoint's layers, task by task.
 * Throws `usage.conflict` where a layer lacks a task.
 *
 * @example
 * ```ts
 * import { baselineOf } from 'strata-lm/search'
 *
 * const layers = new Map([
 *   ['h0', { STS17: 0.4 }],
 *   ['h1', { STS17: 0.6 }],
 * ])
 * const baseline = baselineOf(layers, ['STS17'])
 * console.log(baseline.get('STS17')?.mean, baseline.get('STS17')?.deviation.toFixed(2)) // → 0.5 0.10
 * ```
 */
export function baselineOf(
  layers: ReadonlyMap<string, Scores>,
  tasks: readonly string[],
): ReadonlyMap<string, Baseline> {
  return new Map(
    tasks.map((task) => {
      const byLayer = new Map(
        Array.from(layers, ([layer, scores]) => [layer, complete(scores, task, `the baseline's ${layer}`)]),
      )
      const values = [...byLayer.values()]
      const deviation = populationDeviation(values)
      return [task, { mean: mean(values), deviation, narrow: values.length > 1 && deviation < narrowBelow, byLayer }]
    }),
  )
}

/**
 * Rewards of the scored tasks. `z`: standard deviations above the mean of the baseline's layers; `same-layer`: above
 * the baseline's same layer, in those deviations; `raw`: the score itself. Throws `usage.conflict` for `same-layer`
 * with a layer that the baseline does not have.
 *
 * @example
 * ```ts
 * import { baselineOf, rewardDefaults, rewardsOf } from 'strata-lm/search'
 *
 * const layers = new Map([
 *   ['h0', { STS17: 0.4 }],
 *   ['h1', { STS17: 0.6 }],
 * ])
 * console.log(rewardsOf({ STS17: 0.7 }, 'h1', baselineOf(layers, ['STS17']), rewardDefaults)['STS17']?.toFixed(2))
 * // → 2.00
 * ```
 */
export function rewardsOf(
  scores: Scores,
  layer: string,
  baseline: ReadonlyMap<string, Baseline>,
  { kind, clip, floor }: RewardOptions,
): Reward {
  if (kind === 'raw') return scores
  return Object.fromEntries(
    Object.entries(scores).map(([task, score]) => {
      const measure = baseline.get(task)
      if (measure === undefined)
        throw fault('usage.conflict', { place: task, what: 'the baseline has no score of the task' })
      const centre = kind === 'z' ? measure.mean : measure.byLayer.get(layer)
      if (centre === undefined)
        throw fault('usage.conflict', {
          place: layer,
          what: 'the baseline has no such layer',
          hint: 'rewards of --reward z need no layer of the same name',
        })
      const reward = (score - centre) / scaleOf(measure, floor)
      return [task, Math.max(-clip, Math.min(clip, reward))]
    }),
  )
}

function scaleOf({ deviation, byLayer }: Baseline, floor: number): number {
  const scale = byLayer.size < 2 ? 1 : Math.max(floor, deviation)
  return scale < least ? 1 : scale
}

/**
 * One number per arm. Throws `usage.conflict` unless every task has its reward: otherwise each arm would average over
 * other tasks.
 */
export function aggregated(rewards: Reward, tasks: readonly string[], aggregation: Aggregation): number {
  const values = tasks.map((task) => complete(rewards, task, 'an arm'))
  switch (aggregation) {
    case 'mean':
      return mean(values)
    case 'median':
      return median(values)
    case 'trimmed':
      return trimmed(values)
    case 'harmonic':
      return harmonic(values)
    default:
      return aggregation satisfies never
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[half] ?? Number.NaN) : mean(sorted.slice(half - 1, half + 1))
}

/** The mean without the lowest and the highest fifth, as in SciPy's `trim_mean(0.2)`. */
function trimmed(values: readonly number[]): number {
  const cut = Math.floor(0.2 * values.length)
  return mean([...values].sort((a, b) => a - b).slice(cut, values.length - cut))
}

/**
 * Rewards are first shifted above 0. Over the positive ones alone, an arm with one small win and many losses would come
 * out as the best.
 */
const shift = 4

function harmonic(values: readonly number[]): number {
  const low = values.find((value) => !(value + shift > 0))
  if (low !== undefined)
    throw fault('usage.conflict', {
      place: '--aggregation harmonic',
      what: 'rewards must lie above −4',
      seen: low,
      hint: 'clip them: --clip 3',
    })
  return 1 / mean(values.map((value) => 1 / (value + shift))) - shift
}

function complete(scores: Scores, task: string, whose: string): number {
  const score = scores[task]
  if (score === undefined || !Number.isFinite(score))
    throw fault('usage.conflict', { place: task, what: `${whose} has no score of the task` })
  return score
}
