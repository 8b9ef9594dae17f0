/** Progress in points, of which there are many and most are quick. */
import type { OnProgress } from '#core'

/** Milliseconds after which a single point is heard of. */
const patience = 5000

export interface PointProgress {
  /** For the work on a single point: passed on where no point ended for five seconds. */
  readonly onProgress: OnProgress
  ended(): void
}

/** Reports `ended` points out of `total`. */
export function pointProgress(
  onProgress: OnProgress | undefined,
  { stage, total }: { readonly stage: string; readonly total: number },
): PointProgress {
  let done = 0
  let last: number | undefined
  return {
    onProgress(progress) {
      if (last === undefined || performance.now() - last > patience) onProgress?.(progress)
    },
    ended() {
      last = performance.now()
      onProgress?.({ stage, done: ++done, total, unit: 'points' })
    },
  }
}
