/** Two-sided p-values of correlations, as scipy.stats gives them. */

/**
 * Two-sided p-value of a correlation `r` of `n` independent pairs: the chance of one at least as far from 0, by
 * Student's t with n − 2 degrees of freedom – the incomplete beta function I at 1 − r² with parameters (n − 2)/2 and ½.
 * NaN for fewer than three pairs.
 *
 * @example
 * ```ts
 * import { correlationPValue } from 'strata-lm/linalg'
 *
 * console.log(correlationPValue(0.9, 10).toExponential(2)) // → 3.87e-4
 * ```
 */
export function correlationPValue(r: number, n: number): number {
  if (n < 3 || Number.isNaN(r)) return NaN
  const freedom = n - 2
  // (1 − r)(1 + r) keeps the digits that 1 − r² loses near 1
  return incompleteBeta(Math.max(0, (1 - r) * (1 + r)), freedom / 2, 0.5)
}

/** Regularised incomplete beta function by its continued fraction (Numerical Recipes §6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b))
  // the fraction converges fast on one side of the mean only
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let [c, d] = [1, 1 / safe(1 - ((a + b) * x) / (a + 1))]
  let value = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return value
}

/** Logarithm of the gamma function for positive arguments: shifted above 10, then Stirling's series. */
function logGamma(argument: number): number {
  let [x, shift] = [argument, 0]
  for (; x < 10; x++) shift += Math.log(x)
  const inverse = 1 / (x * x)
  const series =
    (1 / 12 -
      inverse *
        (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse * (1 / 1188 - (inverse * 691) / 360_360))))) /
    x
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift
}
