/** What arms are told apart by before they are pulled: metrics, and how deep and how late they are. */
import { type Grid, type ScoredArm, stepOf, unknownSteps } from './grid.ts'
import type { FeaturesOf } from './recorded.ts'

export interface ContextOptions {
  readonly metrics: FeaturesOf | undefined
  /** h/L, (h/L)² and log10 of the training step as well. In the replay they cost exploration. */
  readonly depth: boolean
  /** Step of a checkpoint whose name tells none; default: the last one told. */
  readonly lastStep?: number | undefined
}

/** Features of an arm; undefined where one of its metrics is not known, and of every arm where nothing is asked. */
export function contextOf(
  { arms }: Pick<Grid, 'arms'>,
  { metrics, depth, lastStep }: ContextOptions,
): (arm: Pick<ScoredArm, 'checkpoint' | 'layer'>) => readonly number[] | undefined {
  const last = Math.max(1, ...arms.map(({ layer }) => indexOf(layer)))
  const steps = arms.map(({ checkpoint }) => stepOf(checkpoint)).filter((step) => step < unknownSteps)
  const stepFor = (checkpoint: string): number =>
    stepOf(checkpoint) < unknownSteps ? stepOf(checkpoint) : (lastStep ?? Math.max(1, ...steps))
  return ({ checkpoint, layer }) => {
    const own = metrics === undefined ? [] : metrics(checkpoint, layer)
    if (own === undefined || (metrics === undefined && !depth)) return undefined
    const at = indexOf(layer) / last
    return depth ? [...own, at, at * at, Math.log10(Math.max(1, stepFor(checkpoint)))] : own
  }
}

/** 0 of what is no hidden state. */
function indexOf(layer: string): number {
  return Number(/^h(\d+)/.exec(layer)?.[1] ?? 0)
}
