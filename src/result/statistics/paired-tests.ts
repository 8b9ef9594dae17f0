/** Tests of paired differences, as scipy.stats has them: signs, signed ranks, means. */
import { averageRanks, normalPValue, studentPValue } from '#platform/linalg'

/** Differences up to which the distribution of the signed ranks is counted: where none is 0 and none tie, and else. */
const exactDifferences = 50
const exactTied = 13

/**
 * Two-sided p-value of the exact sign test: how likely fair coins are at least as uneven as `wins` and `losses`. Ties
 * take no part. On items of which only one side is right it is McNemar's exact test.
 *
 * @example
 * ```ts
 * import { signTest } from 'strata-lm/statistics'
 *
 * console.log(signTest(21, 26).toFixed(3)) // → 0.560
 * ```
 */
export function signTest(wins: number, losses: number): number {
  const n = wins + losses
  if (n === 0) return 1
  // the logarithm of n over k, from one k to the next
  let log = -n * Math.LN2
  let tail = 0
  for (let k = 0; k <= Math.min(wins, losses); k++) {
    tail += Math.exp(log)
    log += Math.log((n - k) / (k + 1))
  }
  return Math.min(1, 2 * tail)
}

/**
 * Student's test of a mean difference of 0: t, degrees of freedom, two-sided p-value. NaN for fewer than two
 * differences and where all are the same.
 *
 * @example
 * ```ts
 * import { pairedT } from 'strata-lm/statistics'
 *
 * const { t, p } = pairedT([0.02, 0.01, 0.03, -0.01, 0.02])
 * console.log(t.toFixed(3), p.toFixed(4)) // → 2.064 0.1079
 * ```
 */
export function pairedT(differences: readonly number[]): { t: number; freedom: number; p: number } {
  const n = differences.length
  const mean = differences.reduce((sum, value) => sum + value, 0) / n
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const t = squares === 0 ? NaN : mean / Math.sqrt(squares / (n - 1) / n)
  return { t, freedom: n - 1, p: studentPValue(t, n - 1) }
}

/**
 * Wilcoxon's signed-rank test: the smaller sum of ranks and its two-sided p-value. Zeros are left out. Exact for up to
 * 13 differences, or 50 without zeros and ties, otherwise by the normal approximation with the correction for ties, as
 * SciPy 1.17 chooses. NaN without differences other than 0.
 *
 * @example
 * ```ts
 * import { wilcoxon } from 'strata-lm/statistics'
 *
 * console.log(wilcoxon([0.02, 0.01, 0.03, -0.015, 0.025])) // → { statistic: 2, p: 0.1875 }
 * ```
 */
export function wilcoxon(differences: readonly number[]): { statistic: number; p: number } {
  const there = differences.filter((value) => value !== 0)
  const n = there.length
  if (n === 0) return { statistic: NaN, p: NaN }
  const ranks = averageRanks(there.map(Math.abs))
  let positive = 0
  there.forEach((value, i) => (positive += value > 0 ? ranks[i]! : 0))
  const statistic = Math.min(positive, (n * (n + 1)) / 2 - positive)
  const counts = new Map<number, number>()
  for (const rank of Array.from(ranks)) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  const isPlain = n === differences.length && counts.size === n
  if (differences.length <= (isPlain ? exactDifferences : exactTied))
    return { statistic, p: Math.min(1, 2 * lowerTail(ranks, statistic)) }
  const ties = [...counts.values()].reduce((sum, count) => sum + count ** 3 - count, 0)
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
  return { statistic, p: normalPValue((statistic - (n * (n + 1)) / 4) / deviation) }
}

/** Share of the 2ⁿ assignments of signs whose positive ranks sum to at most `statistic`. */
function lowerTail(ranks: ArrayLike<number>, statistic: number): number {
  // ranks that tie are halves
  const shares = new Float64Array(ranks.length * (ranks.length + 1) + 1)
  shares[0] = 1
  for (const rank of Array.from(ranks))
    for (let sum = shares.length - 1; sum >= 0; sum--)
      shares[sum] = (shares[sum]! + (sum >= 2 * rank ? shares[sum - 2 * rank]! : 0)) / 2
  return shares.subarray(0, 2 * statistic + 1).reduce((total, share) => total + share, 0)
}
