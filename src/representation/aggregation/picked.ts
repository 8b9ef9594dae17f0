/** Layers picked one by one: how good one is, less how much it says that those before it said. */
import type { Known } from './method.ts'

export interface Picked {
  readonly picks: readonly number[]
  /** Gain of each pick, when it was picked. */
  readonly gains: readonly number[]
}

/**
 * Gain q_i − λ · mean of S over the picks; the first of equals; until no gain is left. `among`: layers that may be
 * picked.
 */
export function pickLayers(
  { similarity, quality }: Known,
  { lambda, maxLayers }: { lambda: number; maxLayers: number },
  among = Array.from(quality.keys()),
): Picked {
  const n = quality.length
  const [picks, gains]: [number[], number[]] = [[], []]
  const gainOf = (i: number): number => {
    const said = picks.reduce((sum, s) => sum + similarity[i * n + s]!, 0)
    return quality[i]! - (picks.length === 0 ? 0 : (lambda * said) / picks.length)
  }
  for (let left = among; left.length > 0 && picks.length < maxLayers; left = left.filter((i) => !picks.includes(i))) {
    const all = left.map(gainOf)
    const at = all.indexOf(Math.max(...all))
    const [pick, gain] = [left[at]!, all[at]!]
    if (!(gain > 0)) break
    picks.push(pick)
    gains.push(gain)
  }
  return { picks, gains }
}

/** Weights of picks by their rank, 1 / k, of sum 1. */
export function byRank(n: number, picks: readonly number[]): Float64Array {
  const weights = new Float64Array(n)
  const total = picks.reduce((sum, _, k) => sum + 1 / (k + 1), 0)
  picks.forEach((pick, k) => (weights[pick] = 1 / (k + 1) / total))
  return weights
}
