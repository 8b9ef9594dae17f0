/** Features that distinguish arms before they are pulled: metrics, depth and training step. */
import { type Grid, type ScoredArm, parseStep, unknownSteps } from './grid.ts'
import type { FeaturesOf } from './recorded.ts'

export interface ContextOptions {
  readonly metrics: FeaturesOf | undefined
  /** h/L, (h/L)² and log10 of the training step as well. In replays they reduce exploration. */
  readonly depth: boolean
  /** Step of a checkpoint without one in its name; default: the largest step named. */
  readonly lastStep?: number | undefined
}

/**
 * Features of an arm; undefined where one of its metrics is unknown, and for every arm when no feature is requested.
 */
export function makeContext(
  { arms }: Pick<Grid, 'arms'>,
  { metrics, depth, lastStep }: ContextOptions,
): (arm: Pick<ScoredArm, 'checkpoint' | 'layer'>) => readonly number[] | undefined {
  const last = Math.max(1, ...arms.map(({ layer }) => indexOf(layer)))
  const steps = arms.map(({ checkpoint }) => parseStep(checkpoint)).filter((step) => step < unknownSteps)
  const stepFor = (checkpoint: string): number =>
    parseStep(checkpoint) < unknownSteps ? parseStep(checkpoint) : (lastStep ?? Math.max(1, ...steps))
  return ({ checkpoint, layer }) => {
    const own = metrics === undefined ? [] : metrics(checkpoint, layer)
    if (own === undefined || (metrics === undefined && !depth)) return undefined
    const at = indexOf(layer) / last
    return depth ? [...own, at, at * at, Math.log10(Math.max(1, stepFor(checkpoint)))] : own
  }
}

/** 0 for a representation that is not a hidden state. */
function indexOf(layer: string): number {
  return Number(/^h(\d+)/.exec(layer)?.[1] ?? 0)
}
