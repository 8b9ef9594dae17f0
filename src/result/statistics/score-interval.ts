/** Uncertainty of a score: its spread over other items of the same kind. */
import { quantile } from '#core'
import type { Ours } from './against.ts'
import { jointDraws } from './bootstrap.ts'
import { itemParts } from './compare.ts'

export interface ScoreInterval {
  /** 95 % interval of the mean score over the parts. */
  readonly low: number
  readonly high: number
  readonly draws: number
}

/**
 * By bootstrap over the items of each part. Undefined where no items are stored, or where the score is not a function
 * of them or of their resamples.
 */
export async function scoreInterval(
  ours: Ours,
  { draws = 1000, seed }: { draws?: number | undefined; seed?: number | undefined } = {},
): Promise<ScoreInterval | undefined> {
  const parts = await itemParts(ours)
  const [scores] = parts === undefined ? [] : jointDraws(parts, { draws, seed })
  if (scores === undefined || !scores.every(Number.isFinite)) return undefined
  const sorted = [...scores].sort((a, b) => a - b)
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975), draws: sorted.length }
}
