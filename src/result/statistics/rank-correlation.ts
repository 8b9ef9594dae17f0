/** Whether two numbers of the same things correlate: Spearman's ρ with its interval. */
import { averageRanks, pearson, spearman } from '#platform/linalg'
import { randomState } from '#platform/random'
import { type Resampled, resampled } from './resampled.ts'

export interface RankCorrelation extends Resampled {
  readonly count: number
  /** NaN where one side is constant, or with fewer than two pairs. */
  readonly rho: number
}

/**
 * Spearman's correlation of two columns, with its 95 % interval by bootstrap over the pairs; NaN where one side is
 * constant, or with fewer than two pairs.
 *
 * @example
 * ```ts
 * import { rankCorrelation } from 'strata-lm/statistics'
 *
 * const { rho, count } = rankCorrelation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
 * console.log(rho.toFixed(2), count) // → 0.80 5
 * ```
 */
export function rankCorrelation(
  x: readonly number[],
  y: readonly number[],
  { draws = 2000, seed = 42 }: { draws?: number | undefined; seed?: number | undefined } = {},
): RankCorrelation {
  const count = Math.min(x.length, y.length)
  const rho = spearman(x, y)
  if (count < 3) return { count, rho, low: NaN, high: NaN, constant: 0 }
  const random = randomState(seed)
  const found: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    const rows = Array.from({ length: count }, () => Math.floor((random.word() / 2 ** 32) * count))
    const of = (values: readonly number[]): ArrayLike<number> => averageRanks(rows.map((row) => values[row] ?? NaN))
    const one = pearson(of(x), of(y))
    found.push(one)
  }
  return { count, rho, ...resampled(found, rho, placeAt) }
}

function placeAt(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
